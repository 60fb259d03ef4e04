import { timestamp } from '@minne/core';
import {
  checkIdentifier,
  checkPageSize,
  checkPathPrefix,
  checkQuery,
  type MemoryCallOptions,
  type MemoryHit,
  type MemoryQuery,
} from '@minne/core/memory';
import type { StoreScope } from '../engine-context.js';
import { toMemoryEntry } from '../entries/entry-row.js';
import { hasContent, type MemoryView } from '../entries/view.js';
import type { EntryRow } from '../storage-port.js';
import { analyseQuery } from '../text/analyse.js';
import type { ScoredEntry, SearchFilter } from './actor-index.js';

/** Options of a call that gives entries. */
export interface ViewOptions extends MemoryCallOptions {
  /** `BASIC` leaves the content out. Default `FULL`. */
  readonly view?: MemoryView;
}

/** How often a ranking is made anew because an entry in it changed before it was read. */
const mostAttempts = 4;

/** The entries of an actor that hold words of the query, the best first. */
export async function searchEntries(
  { context, store }: StoreScope,
  query: MemoryQuery,
  options: ViewOptions,
): Promise<readonly MemoryHit[]> {
  const actorId = checkIdentifier(query.actorId, 'actor_id');
  const text = checkQuery(query.query);
  const limit = checkPageSize(query.limit, 10, 'limit');
  const filter = checkFilter(query);
  const withContent = hasContent(options.view);
  const terms = analyseQuery(text);
  if (terms.size === 0) return [];
  for (let attempt = 1; ; attempt++) {
    const now = timestamp(context.clock);
    const scored = await context.indexes.use(
      { storeKey: store.key, actorId },
      now,
      (index) => index.search(terms, filter, limit),
      options,
    );
    if (scored.length === 0) return [];
    const ids = scored.map(({ entryId }) => entryId);
    const rows = await context.storage.entries.get(
      { storeKey: store.key, ids, now, withContent },
      options,
    );
    const hits = matchRows(scored, rows);
    if (hits.length === scored.length || attempt === mostAttempts) return hits;
  }
}

function checkFilter({ sessionId, pathPrefix }: MemoryQuery): SearchFilter {
  return {
    ...(sessionId === undefined ? {} : { sessionId: checkIdentifier(sessionId, 'session_id') }),
    ...(pathPrefix === undefined ? {} : { pathPrefix: checkPathPrefix(pathPrefix) }),
  };
}

/** Entries with their scores, without those that are gone or are no longer what was ranked. */
function matchRows(
  scored: readonly ScoredEntry[],
  rows: readonly EntryRow[],
): readonly MemoryHit[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return scored.flatMap(({ entryId, revision, score }) => {
    const row = byId.get(entryId);
    return row?.revision === revision ? [{ memory: toMemoryEntry(row), score }] : [];
  });
}
