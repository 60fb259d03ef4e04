import {
  type AppendResult,
  ConflictError,
  type HistoryCallOptions,
  type HistoryKey,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  type NewHistoryRecord,
  type ReplaceOptions,
  StoreError,
} from '@minne/core';
import { ReferenceHistoryBackend } from '../reference-history-backend.js';

/** Looks whether a history is there, waits, and makes it, which fails when it has come up meanwhile. */
export class LooksBeforeItMakes extends ReferenceHistoryBackend {
  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const found = this.store.has(this.nameOf(key));
    const own = records.map((record) => ({ ...record }));
    await tick();
    if (!found && this.store.has(this.nameOf(key))) {
      throw new StoreError('The history exists already.');
    }
    return super.append(key, own, options);
  }
}

/** The same, but for its own calls, which it makes wait for one another. */
export class MakesOthersWaitInVain extends LooksBeforeItMakes {
  #last: Promise<unknown> = Promise.resolve();

  override append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const result = this.#last.then(() => super.append(key, records, options));
    this.#last = result.catch(() => {});
    return result;
  }
}

/** Keeps its own calls apart with a lock that other backends do not see. */
export class LocksInItself extends ReferenceHistoryBackend {
  #last: Promise<unknown> = Promise.resolve();

  override append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const own = records.map((record) => ({ ...record }));
    const result = this.#last.then(async () => {
      const state = { ...this.stateOf(key) };
      await tick();
      const appended = await this.inner.append(key, own, { ...options, state });
      this.remember(key, state);
      return appended;
    });
    this.#last = result.catch(() => {});
    return result;
  }
}

/** Looks at the version, waits, and puts its records in place of whatever has come meanwhile. */
export class ReplacesOverAppends extends ReferenceHistoryBackend {
  override async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    if ((await super.load(key)).version !== options.version) {
      throw new ConflictError('The version is another.');
    }
    await tick();
    const { version } = await super.load(key);
    return super.replace(key, records, { ...options, version });
  }
}

/** Forgets the messages, and a moment later whatever ids there are. */
export class ClearsInTwoSteps extends ReferenceHistoryBackend {
  readonly #unknown = new Set<string>();

  override async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    await super.clear(key, options);
    await tick();
    for (const { id } of (await super.load(key)).records) this.#unknown.add(id);
  }

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    return { ...loaded, knownIds: loaded.knownIds.filter((id) => !this.#unknown.has(id)) };
  }
}

/** Numbers its records first and shows them in the order in which their writes end. */
export class ShowsRecordsAsWritesEnd extends ReferenceHistoryBackend {
  #writing = 0;

  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    this.#writing += 1;
    try {
      const result = await super.append(key, records, options);
      await tick();
      return result;
    } finally {
      this.#writing -= 1;
    }
  }

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    const { length } = loaded.records;
    if (this.#writing === 0 || length < 3) return loaded;
    return { ...loaded, records: loaded.records.filter((_, index) => index !== length - 2) };
  }
}

/** What backends show late, and for whom it is there already. */
interface LateRecord {
  readonly writer: ShowsOthersLate;
  readonly until: number;
}

/** Shows what other backends wrote only later, and some of them later than others. */
export class ShowsOthersLate extends ReferenceHistoryBackend {
  static readonly #late = new WeakMap<object, Map<string, LateRecord>>();
  static #opened = 0;
  readonly #delay = (ShowsOthersLate.#opened++ % 3) * 10;

  get #lateRecords(): Map<string, LateRecord> {
    const late = ShowsOthersLate.#late.get(this.store) ?? new Map<string, LateRecord>();
    ShowsOthersLate.#late.set(this.store, late);
    return late;
  }

  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const until = performance.now() + this.#delay;
    for (const { id } of records) this.#lateRecords.set(id, { writer: this, until });
    const result = await super.append(key, records, options);
    await tick();
    return result;
  }

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    const shown = loaded.records.filter(({ id }) => {
      const late = this.#lateRecords.get(id);
      return late === undefined || late.writer === this || late.until <= performance.now();
    });
    return { ...loaded, records: shown };
  }
}

/** Counts the places of a page from the end, which moves while others write. */
export class CountsPagesFromTheEnd extends ReferenceHistoryBackend {
  #writing = 0;

  override async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    this.#writing += 1;
    try {
      const result = await super.append(key, records, options);
      await tick();
      return result;
    } finally {
      this.#writing -= 1;
    }
  }

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { before } = options;
    if (before === undefined || this.#writing === 0) return super.load(key, options);
    return super.load(key, { ...options, before: Math.max(0, before - this.#writing) });
  }
}

function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}
