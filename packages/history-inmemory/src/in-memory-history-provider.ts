import {
  type HistoryFlags,
  HistoryProvider,
  SessionHistoryBackend,
  type SessionHistoryBackendOptions,
} from '@minne/core';

/** Options of {@link InMemoryHistoryProvider}. */
export interface InMemoryHistoryProviderOptions
  extends HistoryFlags,
    SessionHistoryBackendOptions {}

/**
 * Keeps history in the session itself: it is serialised with the session and gone with it. This is
 * where an agent keeps history that was given no provider; give it this one to set its options.
 *
 * `sourceId` is `in_memory` unless another is given.
 */
export class InMemoryHistoryProvider extends HistoryProvider {
  /** @throws ConfigurationError when `maxMessages` or `limit` is no whole number of at least 1. */
  constructor(options: InMemoryHistoryProviderOptions = {}) {
    const { maxMessages, ...flags } = options;
    super({
      ...flags,
      sourceId: flags.sourceId ?? 'in_memory',
      backend: new SessionHistoryBackend(maxMessages === undefined ? {} : { maxMessages }),
    });
  }
}
