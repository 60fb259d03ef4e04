import type { MemoryCallOptions, MemorySource } from '@minne/core/memory';

/**
 * Where a memory engine keeps its rows. This is all that a storage author writes: permissions,
 * validation, text analysis and ranking live in the engine.
 *
 * Rules that hold for every method:
 * - Text is ordered by code point, which is the order of its UTF-8 bytes (SQLite's `BINARY`,
 *   PostgreSQL's `COLLATE "C"`) and not the order of JavaScript's `<`.
 * - Text compares exactly: case counts, nothing is a wildcard. `content`, `description` and `metadata`
 *   may hold U+0000, other text never does; there are no lone surrogates.
 * - Times are RFC 3339 in UTC with milliseconds (`2026-05-01T10:00:00.000Z`), so that their order as
 *   text is their order in time. The engine's clock counts: a method that depends on the time is given `now`.
 * - An entry whose `expireTime` is not after `now` does not exist for any method.
 * - Each call is atomic and reads one state. A failure is a `MemoryError`: `TEMPORARILY_UNAVAILABLE`
 *   when the same call may succeed later, `INTERNAL_ERROR` otherwise.
 */
export interface StoragePort {
  readonly specificationVersion: 'v1';
  readonly stores: StoreTable;
  readonly entries: EntryTable;
  /**
   * Removes for good what nobody can see any more: expired entries, and stores deleted before
   * `deletedBefore` with everything in them; at most about `limit` rows in one call.
   */
  purge(request: PurgeRequest, options?: MemoryCallOptions): Promise<PurgeResult>;
  /** Releases what the storage itself opened. */
  close?(): Promise<void>;
}

/** The rows of memory stores. */
export interface StoreTable {
  /** The row of this id, one marked as deleted too. */
  get(id: string, options?: MemoryCallOptions): Promise<StoreRow | undefined>;
  /** Stores that are not deleted, in the order of their ids. */
  list(page: StorePage, options?: MemoryCallOptions): Promise<readonly StoreRow[]>;
  /**
   * Writes a row if the stored one has the same `key` and is at revision `expected`; for `null`, if
   * there is none of this id.
   * @returns Whether it was written.
   */
  write(row: StoreRow, expected: number | null, options?: MemoryCallOptions): Promise<boolean>;
}

/** The rows of entries, with the search record of each. */
export interface EntryTable {
  /** Those of the entries that exist, in any order. */
  get(request: EntryLookup, options?: MemoryCallOptions): Promise<readonly EntryRow[]>;
  /**
   * Entries of one actor in the order of path, session (none first) and id. The cost follows that
   * actor's entries, never the store's.
   */
  list(page: EntryPage, options?: MemoryCallOptions): Promise<readonly EntryRow[]>;
  /**
   * Makes all changes or none, in one transaction, with the search records and the actor's revision.
   * Expired entries of the actor, and expired ones that hold an id of `puts`, are removed first; then
   * come the deletes and then the puts, each in its order.
   */
  commit(commit: EntryCommit, options?: MemoryCallOptions): Promise<CommitResult>;
  /** The search records of an actor: all of them, or what changed since a revision. */
  changes(request: ChangesRequest, options?: MemoryCallOptions): Promise<ActorChanges>;
}

/** A memory store as it is kept. */
export interface StoreRow {
  readonly id: string;
  /** Stands for the store in every entry call; another one each time the id is used anew. */
  readonly key: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The name of the principal that created it. */
  readonly creator: string;
  readonly createTime: string;
  readonly updateTime: string;
  /** When it was marked as deleted. */
  readonly deleteTime: string | null;
  /** Counts the changes of this row, from 1. */
  readonly revision: number;
}

/** A page of stores. */
export interface StorePage {
  /** Only ids after this one. */
  readonly after?: string;
  readonly limit: number;
}

/** An entry as it is kept. */
export interface EntryRow {
  /** Unique within the store. */
  readonly id: string;
  readonly actorId: string;
  /** `null` for none, which is a key value of its own. */
  readonly sessionId: string | null;
  readonly path: string;
  /** Absent in what was read without content. */
  readonly content?: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly source: MemorySource;
  readonly createTime: string;
  readonly updateTime: string;
  readonly expireTime: string | null;
  /** Lower-case hex. */
  readonly contentSha256: string;
  /** Counts the changes of this entry, from 1. */
  readonly revision: number;
}

/** Which entries to get. */
export interface EntryLookup {
  readonly storeKey: string;
  readonly ids: readonly string[];
  readonly now: string;
  /** Whether the rows carry their content. */
  readonly withContent: boolean;
}

/** A page of one actor's entries. */
export interface EntryPage {
  readonly storeKey: string;
  readonly actorId: string;
  /** Exactly this path. */
  readonly path?: string;
  /** Only paths in this range. */
  readonly paths?: PathRange;
  /** Only this session; `null` for entries without one. Absent: all. */
  readonly sessionId?: string | null;
  /** Only entries after this place. */
  readonly after?: EntryPlace;
  readonly limit: number;
  readonly now: string;
  readonly withContent: boolean;
}

/** Paths from `from` (included) up to `before` (excluded), in the order of code points. */
export interface PathRange {
  readonly from: string;
  readonly before: string;
}

/** A place in the order of entries. */
export interface EntryPlace {
  readonly path: string;
  readonly sessionId: string | null;
  readonly id: string;
}

/** Changes of one actor's entries. */
export interface EntryCommit {
  readonly storeKey: string;
  readonly actorId: string;
  readonly puts: readonly EntryPut[];
  readonly deletes: readonly EntryDelete[];
  readonly now: string;
}

/** An entry to write. */
export interface EntryPut {
  /** Its `actorId` is the commit's. */
  readonly row: EntryRow & { readonly content: string };
  /** What the engine needs to find the entry. Opaque to the storage. */
  readonly searchRecord: Uint8Array;
  /** The revision at which the entry must be stored; `null`: neither its id nor its key is taken. */
  readonly expected: number | null;
}

/** An entry to remove. */
export interface EntryDelete {
  readonly id: string;
  /** The revision at which the entry must be stored. */
  readonly expected: number;
}

/** What came of a commit: nothing was written if there is a conflict. */
export type CommitResult =
  | { readonly committed: true }
  | { readonly committed: false; readonly conflict: CommitConflict };

/** Why a commit was not made. */
export interface CommitConflict {
  /**
   * `store`: there is no such store, or it is deleted. `revision`: the entry is at another revision or gone.
   * `id`: another entry has this id. `key`: another entry is at this actor, session and path.
   */
  readonly kind: 'store' | 'revision' | 'id' | 'key';
  /** The id of the entry in the way; for `revision` the one that was to be changed. Absent for `store`. */
  readonly entryId?: string;
}

/** Which search records to read. */
export interface ChangesRequest {
  readonly storeKey: string;
  readonly actorId: string;
  /** A revision that an earlier answer gave. Absent: everything. */
  readonly since?: number;
}

/**
 * The search records of an actor. Expired entries that nobody has removed yet are still among them:
 * the record itself says when it expires.
 */
export interface ActorChanges {
  /** Grows with each commit; 0 for an actor that never had an entry. */
  readonly revision: number;
  /** Whether `records` are all there are, because that was asked or `since` is too long ago. */
  readonly complete: boolean;
  readonly records: readonly SearchRecordRow[];
  /** Ids of entries removed since, and not there now under `records`. Empty when complete. */
  readonly removed: readonly string[];
}

/** The search record of an entry. */
export interface SearchRecordRow {
  readonly entryId: string;
  readonly record: Uint8Array;
}

/** What to purge. */
export interface PurgeRequest {
  readonly now: string;
  /** Stores deleted at or before this time are removed. */
  readonly deletedBefore: string;
  readonly limit: number;
}

/** What a purge did. */
export interface PurgeResult {
  /** How many rows were removed. */
  readonly removed: number;
  /** Whether there is more to remove. */
  readonly more: boolean;
}
