import type { SessionState } from './session.js';

/** Names one history: of one session, kept by one provider. */
export interface HistoryKey {
  readonly sessionId: string;
  readonly sourceId: string;
  /** Kept beside the session, so that an actor's sessions can be listed and erased. */
  readonly actorId?: string;
}

/** What a message is to trimming. `system` is never trimmed; `developer` messages count as `system`. */
export type RecordKind = 'system' | 'user' | 'assistant' | 'tool' | 'summary';

/** The layout of the records that this version writes. */
export const recordVersion = 1;

/** A message on its way to a store. All but `payload` is readable even when the payload is encrypted. */
export interface NewHistoryRecord {
  /** Layout of the record. */
  readonly v: number;
  /** The id of the message, unique within the history: the same id is written once. */
  readonly id: string;
  /** Records with the same group, next to each other or not, are dropped together or not at all. */
  readonly group: string;
  readonly kind: RecordKind;
  /** The message as text: JSON, or what an encrypting wrapper made of it. Opaque to the store. */
  readonly payload: string;
}

/** A message as a store keeps it. */
export interface HistoryRecord extends NewHistoryRecord {
  /**
   * Its place: counts up within a history, never used twice, with gaps allowed. Records become visible in
   * this order: whoever has read one has read, or will never see, those before it.
   */
  readonly sequence: number;
}

/** A stored record that could not be read. The others are returned all the same. */
export interface DamagedRecord {
  /** Where it stands, as precisely as the store can tell. */
  readonly sequence?: number;
  readonly reason: string;
}

/** Options of every call to a backend. */
export interface HistoryCallOptions {
  readonly signal?: AbortSignal;
  /**
   * The provider's slot in the session, for a backend that keeps history in the session itself.
   * Others leave it alone.
   */
  readonly state?: SessionState;
}

/** What came of an append. */
export interface AppendResult {
  /** The version of the history after the append. */
  readonly version: string;
  /** Ids that were there before (or were remembered as trimmed) and were not written again. */
  readonly duplicates: readonly string[];
}

/** What to load. */
export interface LoadOptions extends HistoryCallOptions {
  /** At most this many of the newest records. Default: all. 0 gives none. */
  readonly limit?: number;
  /** Only records with a smaller sequence: a page backwards. */
  readonly before?: number;
  /** Ids to look up among those that the history remembers, trimmed ones included. */
  readonly ids?: readonly string[];
}

/** What was loaded. */
export interface LoadResult {
  /** In ascending order of sequence. */
  readonly records: readonly HistoryRecord[];
  /** The version to give to {@link HistoryBackend.replace}. */
  readonly version: string;
  /** Those of `options.ids` that the history knows. */
  readonly knownIds: readonly string[];
  readonly damaged: readonly DamagedRecord[];
}

/** What to replace a history under. */
export interface ReplaceOptions extends HistoryCallOptions {
  /** The version that {@link HistoryBackend.load} gave. */
  readonly version: string;
}

/** A session that a backend knows. */
export interface HistoryListing {
  readonly key: HistoryKey;
  /** RFC 3339, UTC. */
  readonly updatedAt: string;
}

/** Which histories to list. */
export interface HistoryFilter {
  readonly actorId: string;
}

/**
 * Keeps the messages of sessions. This is all that an adapter author writes: flags, filters,
 * de-duplication and repair live in {@link HistoryProvider}. Prove one with `testHistoryBackend`
 * of `@minne/conformance/history`.
 */
export interface HistoryBackend {
  readonly specificationVersion: 'v1';
  /**
   * Adds records at the end: all or none, in their order, a record whose id is known left out.
   * Resolves only when the records are as durable as the store makes them.
   */
  append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options?: HistoryCallOptions,
  ): Promise<AppendResult>;
  /** Reads in one round trip. A history that was never written is empty, not an error. */
  load(key: HistoryKey, options?: LoadOptions): Promise<LoadResult>;
  /** Forgets the history and every id of it. Clearing what is not there is no error. */
  clear(key: HistoryKey, options?: HistoryCallOptions): Promise<void>;
  /**
   * Puts these records in place of all, atomically. Records keep the sequence they carry; those
   * without one are numbered after the highest ever used.
   * @throws ConflictError when the stored version is another.
   */
  replace?(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult>;
  /** The histories of an actor, most recently written first, each once. */
  list?(filter: HistoryFilter, options?: HistoryCallOptions): AsyncIterable<HistoryListing>;
  /**
   * Forgets every history of an actor: messages, ids and its list. A history belongs to the actor that was
   * named last when it was written. One that is written at the same time may be left or be forgotten, never
   * be left in part.
   * @returns How many histories that were.
   */
  eraseActor?(actorId: string, options?: HistoryCallOptions): Promise<number>;
  /** Releases what the backend itself opened. */
  close?(): Promise<void>;
}
