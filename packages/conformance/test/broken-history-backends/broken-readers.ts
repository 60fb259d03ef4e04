import {
  type HistoryFilter,
  type HistoryKey,
  type HistoryListing,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  StoreError,
} from '@minne/core';
import { ReferenceHistoryBackend } from '../reference-history-backend.js';

const updatedAt = '2026-05-01T10:00:00.000Z';

/** Changes every record on its way out. */
abstract class ChangesRecords extends ReferenceHistoryBackend {
  abstract change(record: HistoryRecord): HistoryRecord;

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    return { ...loaded, records: loaded.records.map((record) => this.change(record)) };
  }
}

/** Hands out the newest first. */
export class NewestFirst extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    return { ...loaded, records: loaded.records.toReversed() };
  }
}

/** Takes the limit from the front. */
export class OldestInsteadOfNewest extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { limit, ...rest } = options;
    const checked = await super.load(key, options);
    if (limit === undefined) return checked;
    const all = await super.load(key, rest);
    return { ...all, records: all.records.slice(0, limit) };
  }
}

/** Takes a limit of 0 for no limit. */
export class ZeroIsEverything extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { limit, ...rest } = options;
    return super.load(key, limit === 0 ? rest : options);
  }
}

/** Takes a limit that is none for no limit. */
export class AcceptsAnyLimit extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { limit = 0, before = 0, ...rest } = options;
    const valid = [limit, before].every((value) => Number.isInteger(value) && value >= 0);
    return super.load(key, valid ? options : rest);
  }
}

/** Begins a page with the message that the page after it begins with. */
export class PagesOverlap extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { before } = options;
    return super.load(key, before === undefined ? options : { ...options, before: before + 1 });
  }
}

/** Knows only histories that were written. */
export class RejectsUnknownHistories extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const found = this.store.has(this.nameOf(key));
    const loaded = await super.load(key, options);
    if (!found) throw new StoreError('There is no such history.');
    return loaded;
  }
}

/** Gives out another version at every look. */
export class NewVersionAtEveryLook extends ReferenceHistoryBackend {
  #looks = 0;

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    return { ...(await super.load(key, options)), version: `look ${this.#looks++}` };
  }
}

/** Hands out what it keeps. */
export class HandsOutItsOwn extends ReferenceHistoryBackend {
  readonly #handedOut = new Map<string, LoadResult>();

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    const name = JSON.stringify([this.nameOf(key), loaded.version, options.limit, options.before]);
    const kept = this.#handedOut.get(name) ?? loaded;
    this.#handedOut.set(name, kept);
    return { ...loaded, records: kept.records };
  }
}

/** Gives up on the whole history when one record is damaged. */
export class GivesUpOnDamage extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    const [damage] = loaded.damaged;
    if (damage !== undefined) throw new StoreError(damage.reason);
    return loaded;
  }
}

/** Leaves damaged records out and does not say so. */
export class HidesDamage extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    return { ...(await super.load(key, options)), damaged: [] };
  }
}

/** Loses U+0000. */
export class LosesNul extends ChangesRecords {
  override change(record: HistoryRecord): HistoryRecord {
    return { ...record, payload: record.payload.replaceAll('\\u0000', '') };
  }
}

/** Keeps payloads as a database does that parses JSON. */
export class ParsesPayloads extends ChangesRecords {
  override change(record: HistoryRecord): HistoryRecord {
    return { ...record, payload: JSON.stringify(JSON.parse(record.payload)) };
  }
}

/** Cuts what is longer than 64 KiB. */
export class CutsLongMessages extends ChangesRecords {
  override change(record: HistoryRecord): HistoryRecord {
    return { ...record, payload: record.payload.slice(0, 0xffff) };
  }
}

/** Takes the spaces from ids. */
export class TrimsIds extends ChangesRecords {
  override change(record: HistoryRecord): HistoryRecord {
    return { ...record, id: record.id.trim() };
  }
}

/** Says of every record that it has the layout of today. */
export class RewritesLayouts extends ChangesRecords {
  override change(record: HistoryRecord): HistoryRecord {
    return { ...record, v: 1 };
  }
}

/** Lists actors by prefix. */
export class ListsByPrefix extends ReferenceHistoryBackend {
  override async *list(filter: HistoryFilter): AsyncGenerator<HistoryListing> {
    yield* super.list(filter);
    for (const { key } of this.store.values()) {
      if (key.actorId?.startsWith(`${filter.actorId}_`) === true) yield { key, updatedAt };
    }
  }
}

/** Lists the first page only. */
export class ListsOnePage extends ReferenceHistoryBackend {
  override async *list(filter: HistoryFilter): AsyncGenerator<HistoryListing> {
    let left = 100;
    for await (const listing of super.list(filter)) if (left-- > 0) yield listing;
  }
}

/** Lists in the order in which histories began. */
export class ListsOldestFirst extends ReferenceHistoryBackend {
  override async *list(filter: HistoryFilter): AsyncGenerator<HistoryListing> {
    yield* (await Array.fromAsync(super.list(filter))).toReversed();
  }
}
