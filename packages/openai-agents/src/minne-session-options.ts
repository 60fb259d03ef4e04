import type { HistoryBackend, Warning } from '@minne/core';

/** Options of {@link MinneSession}. */
export interface MinneSessionOptions {
  /**
   * Where the items are kept. It stays yours: close it yourself. It must have `replace`, which taking back,
   * compaction and transactions need.
   */
  readonly backend: HistoryBackend;
  /** Names the conversation; the same id is the same conversation, in any process. Default: a new UUID. */
  readonly sessionId?: string;
  /** On whose behalf the conversation is held, so that an actor's sessions can be listed and erased. */
  readonly actorId?: string;
  /**
   * Keeps the items apart from what others store under the same session id in the same backend, such as
   * the history of an agent of Minne, whose messages have another shape. Default `openai_agents`.
   */
  readonly sourceId?: string;
  /** Is told of records that cannot be read and are left out. Default: `console.warn`. */
  readonly onDiagnostic?: (warning: Warning) => void;
}
