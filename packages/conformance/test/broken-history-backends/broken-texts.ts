import type {
  HistoryFilter,
  HistoryKey,
  HistoryListing,
  HistoryRecord,
  LoadOptions,
  LoadResult,
  NewHistoryRecord,
} from '@minne/core';
import { ReferenceHistoryBackend } from '../reference-history-backend.js';

/** Changes every payload on its way out. */
abstract class ChangesPayloads extends ReferenceHistoryBackend {
  abstract change(payload: string): string;

  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    const records = loaded.records.map((record) => ({
      ...record,
      payload: this.change(record.payload),
    }));
    return { ...loaded, records };
  }
}

/** Cuts what is longer than 4 MiB. */
export class CutsVeryLongMessages extends ChangesPayloads {
  override change(payload: string): string {
    return payload.slice(0, 4 * 1024 * 1024);
  }
}

/** Ends a text at U+0000. */
export class EndsAtNul extends ChangesPayloads {
  override change(payload: string): string {
    return payload.split('\0', 1)[0] ?? '';
  }
}

/** Writes numbers as JavaScript would. */
export class RoundsNumbers extends ChangesPayloads {
  override change(payload: string): string {
    return payload.replace(/(?<=":)-?\d[\d.eE+]*/g, (number) => String(Number(number)));
  }
}

/** Puts an underscore in the place of whatever is no letter and no digit. */
export class FlattensKeys extends ReferenceHistoryBackend {
  override nameOf({ sessionId, sourceId }: HistoryKey): string {
    return JSON.stringify([sourceId, sessionId].map((part) => part.replace(/[^\p{L}\d]/gu, '_')));
  }
}

/** Compares message ids as a database does that takes some letters for the same. */
export class FoldsMessageIds extends ReferenceHistoryBackend {
  override async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const loaded = await super.load(key, options);
    const different = new Map<string, HistoryRecord>();
    for (const record of loaded.records) {
      different.set(record.id.normalize('NFKC').toLowerCase(), record);
    }
    return { ...loaded, records: [...different.values()] };
  }
}

/** Cuts message ids at 1,000 characters. */
export class CutsMessageIds extends ReferenceHistoryBackend {
  override async append(key: HistoryKey, records: readonly NewHistoryRecord[]) {
    const checked = records.some(({ id }) => id.length > 1024) ? records : cut(records);
    return super.append(key, checked);
  }
}

/** Lists keys as they fit into a column. */
export class ListsCutKeys extends ReferenceHistoryBackend {
  override async *list(filter: HistoryFilter): AsyncGenerator<HistoryListing> {
    for await (const { key, updatedAt } of super.list(filter)) {
      yield { key: { ...key, sessionId: key.sessionId.slice(0, 200) }, updatedAt };
    }
  }
}

/** Lists a history for every write of it. */
export class ListsEachWrite extends ReferenceHistoryBackend {
  readonly #writes: HistoryKey[] = [];

  protected override remember(...[key, state]: Parameters<ReferenceHistoryBackend['remember']>) {
    super.remember(key, state);
    this.#writes.unshift(key);
  }

  override async *list(filter: HistoryFilter): AsyncGenerator<HistoryListing> {
    for await (const listing of super.list(filter)) {
      const { sessionId, sourceId } = listing.key;
      for (const write of this.#writes) {
        if (write.sessionId === sessionId && write.sourceId === sourceId) yield listing;
      }
    }
  }
}

function cut(records: readonly NewHistoryRecord[]): NewHistoryRecord[] {
  return records.map((record) => ({ ...record, id: record.id.slice(0, 1000) }));
}
