import {
  type AppendResult,
  ConflictError,
  type HistoryCallOptions,
  type HistoryKey,
  type HistoryRecord,
  type NewHistoryRecord,
  type ReplaceOptions,
  SessionHistoryBackend,
} from '@minne/core';
import { ReferenceHistoryBackend, type ReferenceOptions } from '../reference-history-backend.js';

type Records = readonly (HistoryRecord | NewHistoryRecord)[];

/** Cuts at the exact number, through tool groups. */
export class TrimsByCount extends ReferenceHistoryBackend {
  readonly #unlimited = new SessionHistoryBackend();

  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const state = this.stateOf(key);
    const result = await this.#unlimited.append(key, records, { ...options, state });
    this.remember(key, state);
    if (this.maxMessages === undefined) return result;
    const loaded = await this.#unlimited.load(key, { state });
    const kept = loaded.records.slice(-this.maxMessages);
    if (kept.length === loaded.records.length) return result;
    const { version } = await this.#unlimited.replace(key, kept, {
      version: loaded.version,
      state,
    });
    return { ...result, version };
  }
}

/** Drops a message before it must. */
export class TrimsTooEarly extends ReferenceHistoryBackend {
  constructor({ maxMessages, ...options }: ReferenceOptions) {
    super(
      maxMessages === undefined || maxMessages === 1
        ? options
        : { ...options, maxMessages: maxMessages - 1 },
    );
  }
}

/** Takes any number for a maximum. */
export class AcceptsAnyMaximum extends ReferenceHistoryBackend {
  constructor({ maxMessages = 0, ...options }: ReferenceOptions) {
    const valid = Number.isInteger(maxMessages) && maxMessages > 0;
    super(valid ? { ...options, maxMessages } : options);
  }
}

/** Trims when messages are appended, and only then. */
export class TrimsAppendsOnly extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    return new ReferenceHistoryBackend({ store: this.store }).replace(key, records, options);
  }
}

/** Replaces whatever is there. */
export class IgnoresTheVersion extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const { version } = await super.load(key, options);
    return super.replace(key, records, { ...options, version });
  }
}

/** Looks at the version, waits, and then replaces. */
export class ComparesThenWaits extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const { version } = await super.load(key, options);
    if (version !== options.version) throw new ConflictError('The version is another.');
    await new Promise((resolve) => setTimeout(resolve, 1));
    const state = this.stateOf(key);
    const current = this.inner.load(key, { state });
    return super.replace(key, records, { ...options, version: (await current).version });
  }
}

/** Numbers all records anew. */
export class RenumbersOnReplace extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const bare = records.map(({ v, id, group, kind, payload }) => ({
      v,
      id,
      group,
      kind,
      payload,
    }));
    return super.replace(key, bare, options);
  }
}

/** Takes the old records away first and then writes the new. */
export class ReplacesInTwoSteps extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const { version } = await super.replace(key, [], options);
    return super.replace(key, records, { ...options, version });
  }
}

/** Replaces only where something was. */
export class ReplacesOnlyWhatIsThere extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    if ((await super.load(key)).records.length === 0) throw new ConflictError('Nothing is there.');
    return super.replace(key, records, options);
  }
}

/** Leaves out of a replacement what was removed before. */
export class KeepsRemovedOut extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const ids = records.map(({ id }) => id).filter((id) => id !== '');
    const { records: live, knownIds } = await super.load(key, { ids });
    const there = new Set(live.map(({ id }) => id));
    const taken = records.filter(({ id }) => there.has(id) || !knownIds.includes(id));
    return super.replace(key, taken, options);
  }
}

/** Does not look at the signal when it replaces. */
export class ReplacesAfterAbort extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: Records,
    { version }: ReplaceOptions,
  ): Promise<AppendResult> {
    return super.replace(key, records, { version });
  }
}
