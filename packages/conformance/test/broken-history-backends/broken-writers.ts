import type {
  AppendResult,
  HistoryCallOptions,
  HistoryKey,
  LoadOptions,
  LoadResult,
  NewHistoryRecord,
} from '@minne/core';
import {
  ReferenceHistoryBackend,
  type ReferenceOptions,
  ReferenceStore,
} from '../reference-history-backend.js';

/** Changes what is appended. */
abstract class ChangesAppends extends ReferenceHistoryBackend {
  abstract change(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
  ): Promise<readonly NewHistoryRecord[]>;

  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    return super.append(key, await this.change(key, records), options);
  }
}

/** Says that it keeps a contract that is not this one. */
export class KeepsAnotherContract extends ReferenceHistoryBackend {
  override readonly specificationVersion: 'v1' = JSON.parse('"v0"');
}

/** Writes every record by itself. */
export class OneByOne extends ReferenceHistoryBackend {
  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    let result = await super.append(key, [], options);
    const duplicates: string[] = [];
    for (const record of records) {
      result = await super.append(key, [record], options);
      duplicates.push(...result.duplicates);
    }
    return { ...result, duplicates };
  }
}

/** Takes every record for a new one. */
export class NeverLooksAtIds extends ChangesAppends {
  #count = 0;

  override async change(_key: HistoryKey, records: readonly NewHistoryRecord[]) {
    return records.map((record) => ({ ...record, id: `${this.#count++} ${record.id}` }));
  }

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    const records = loaded.records.map((record) => ({
      ...record,
      id: record.id.replace(/^\d+ /, ''),
    }));
    return { ...loaded, records };
  }
}

/** Takes two messages with the same text for one. */
export class ComparesTexts extends ChangesAppends {
  override async change(key: HistoryKey, records: readonly NewHistoryRecord[]) {
    const stored = new Set((await this.load(key)).records.map(({ payload }) => payload));
    return records.filter(({ payload }) => !stored.has(payload));
  }
}

/** Puts new content in place of what is stored under an id. */
export class OverwritesById extends ChangesAppends {
  override async change(key: HistoryKey, records: readonly NewHistoryRecord[]) {
    const { records: stored, version } = await this.load(key);
    const fresh = new Map(records.map((record) => [record.id, record]));
    if (stored.some(({ id, payload }) => (fresh.get(id)?.payload ?? payload) !== payload)) {
      const edited = stored.map((record) => ({ ...record, ...fresh.get(record.id) }));
      await this.replace(key, edited, { version });
    }
    return records;
  }
}

/** Looks for known ids among the messages that are there only. */
export class ForgetsRemovedIds extends ChangesAppends {
  override async change(key: HistoryKey, records: readonly NewHistoryRecord[]) {
    const state = this.stateOf(key);
    const { history } = state;
    if (typeof history === 'object' && history !== null) {
      state['history'] = { ...history, removedIds: [] };
    }
    return records;
  }
}

/** Keeps a summary as if it were an instruction. */
export class KeepsSummaries extends ChangesAppends {
  override async change(_key: HistoryKey, records: readonly NewHistoryRecord[]) {
    return records.map((record) =>
      record.kind === 'summary' ? { ...record, kind: 'system' as const } : record,
    );
  }
}

/** Does not look at the signal. */
export class IgnoresTheSignal extends ReferenceHistoryBackend {
  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
  ): Promise<AppendResult> {
    return super.append(key, records);
  }
}

/** Reads, waits, and writes what it had read together with the new: of two at once, one is lost. */
export class LosesTheRace extends ReferenceHistoryBackend {
  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const state = { ...this.stateOf(key) };
    await new Promise((resolve) => setTimeout(resolve, 1));
    const result = await this.inner.append(key, records, { ...options, state });
    this.remember(key, state);
    return result;
  }
}

/** Keeps the key of a call where the next call overwrites it. */
export class KeepsTheKeyInItself extends ReferenceHistoryBackend {
  #key: HistoryKey = { sessionId: 'none', sourceId: 'none' };

  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    this.#key = key;
    await Promise.resolve();
    return super.append(this.#key, records, options);
  }
}

/** Looks at what it was given only later, when it may be something else. */
export class ReadsItsInputLate extends ReferenceHistoryBackend {
  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    await Promise.resolve();
    return super.append(key, records, options);
  }
}

/** Keeps what it was told in itself, so that another instance does not see it. */
export class KeepsItInTheInstance extends ReferenceHistoryBackend {
  constructor(options: ReferenceOptions) {
    super({ ...options, store: new ReferenceStore(options.store.now) });
  }
}
