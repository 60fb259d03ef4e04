/** Who wrote an entry: the agent in a conversation, or a pipeline that distilled finished ones. */
export type MemorySource = 'AGENT' | 'DREAMER';

/** One thing remembered of an actor: a small file with a path. */
export interface MemoryEntry {
  /** Unique within the store. */
  readonly id: string;
  readonly actorId: string;
  /** Absent when the entry belongs to the actor rather than to one session. */
  readonly sessionId?: string;
  /** Absolute, such as `/preferences/seat`. Unique within store, actor and session. */
  readonly path: string;
  /** Absent when it was not asked for (`view: 'BASIC'`). */
  readonly content?: string;
  readonly description?: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly source: MemorySource;
  /** RFC 3339, UTC. */
  readonly createTime: string;
  readonly updateTime: string;
  readonly expireTime?: string;
  /** SHA-256 of the content as UTF-8, lower-case hex. A precondition of writes. */
  readonly contentSha256: string;
  /** Counts the changes of this entry, from 1. */
  readonly revision: number;
}

/** Options of every call to a store. */
export interface MemoryCallOptions {
  readonly signal?: AbortSignal;
}

/** An entry to be written. */
export interface NewMemoryEntry {
  readonly actorId: string;
  readonly sessionId?: string;
  readonly path: string;
  readonly content?: string;
  readonly description?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Default `AGENT`. */
  readonly source?: MemorySource;
  /** RFC 3339. */
  readonly expireTime?: string;
}

/** What the stored entry must be for a write to happen. */
export interface MemoryPrecondition {
  /** The hash of the content that the caller saw; `null` when it saw that there was no entry. */
  readonly contentSha256: string | null;
}

/** Options of a put. */
export interface PutMemoryOptions extends MemoryCallOptions {
  /** Joins the content to what is there, with exactly one newline between. Default false: replaces. */
  readonly append?: boolean;
  /** Without it the last writer wins. A put that finds its own result already stored succeeds. */
  readonly precondition?: MemoryPrecondition;
}

/** Options of a deletion. */
export interface DeleteMemoryOptions extends MemoryCallOptions {
  readonly precondition?: MemoryPrecondition;
}

/** Which entries to list. */
export interface MemoryFilter {
  readonly actorId: string;
  /** Exactly this path, in every session. Not together with `pathPrefix`. */
  readonly path?: string;
  /** Ends in `/`: everything below that directory. Otherwise a plain prefix. */
  readonly pathPrefix?: string;
  /** Only entries of this session; without it, entries of every session and of none. */
  readonly sessionId?: string;
}

/** Options of a listing. */
export interface ListMemoryOptions extends MemoryCallOptions {
  /** `BASIC` leaves the content out. Default `FULL`. */
  readonly view?: 'BASIC' | 'FULL';
  /** How many entries are fetched at a time, 1 to 100. Default 100. */
  readonly pageSize?: number;
}

/** What to search for. */
export interface MemoryQuery {
  readonly actorId: string;
  /** Plain words, never syntax. */
  readonly query: string;
  /** How many at most, 1 to 100. Default 10. */
  readonly limit?: number;
  readonly sessionId?: string;
  readonly pathPrefix?: string;
}

/** An entry that a search found. */
export interface MemoryHit {
  readonly memory: MemoryEntry;
  /** Higher is better; comparable within one search only. */
  readonly score: number;
}

/**
 * A memory store as agents use it: what tools, context providers and framework adapters are given.
 * The engine in process and the client over HTTP both implement it. Who may do what is settled when
 * the store is opened; every call names the actor it touches, and touches no other.
 */
export interface MemoryStore {
  readonly specificationVersion: 'v1';
  /** The best matches first, ties by id; empty when nothing matches. */
  search(query: MemoryQuery, options?: MemoryCallOptions): Promise<readonly MemoryHit[]>;
  /** In the order of path, session and id, however many there are. */
  list(filter: MemoryFilter, options?: ListMemoryOptions): AsyncIterable<MemoryEntry>;
  /**
   * Writes an entry at its path, whether or not there was one; atomic.
   * @throws MemoryError `ABORTED` when the precondition does not hold.
   */
  put(entry: NewMemoryEntry, options?: PutMemoryOptions): Promise<MemoryEntry>;
  /** @throws MemoryError `NOT_FOUND` when there is no such entry. */
  delete(id: string, options?: DeleteMemoryOptions): Promise<void>;
}

/** Members of an entry that {@link ManagedMemoryStore.update} changes; `undefined` clears one. */
export interface MemoryChanges {
  readonly content?: string | undefined;
  readonly description?: string | undefined;
}

/** A memory store with the verbs of the memory API that an agent's tools do without. */
export interface ManagedMemoryStore extends MemoryStore {
  /** @throws MemoryError `ALREADY_EXISTS` when there is an entry at that actor, session and path. */
  add(entry: NewMemoryEntry, options?: MemoryCallOptions): Promise<MemoryEntry>;
  /** @throws MemoryError `NOT_FOUND`. */
  get(id: string, options?: MemoryCallOptions): Promise<MemoryEntry>;
  /** Changes the members named in `changes` and no others. @throws MemoryError `NOT_FOUND`. */
  update(id: string, changes: MemoryChanges, options?: DeleteMemoryOptions): Promise<MemoryEntry>;
}
