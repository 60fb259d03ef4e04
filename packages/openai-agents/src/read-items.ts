import type { DamagedRecord } from '@minne/core';
import type { AgentInputItem } from '@openai/agents';
import { unansweredResults } from './item-groups.js';
import type { ItemHistory, StoredItem } from './item-history.js';

/** How many records are read at once when those before the wanted ones are needed. */
const pageSize = 64;

/** What was read. */
export interface ReadItems {
  readonly items: AgentInputItem[];
  /** The sequence of the newest record, 0 when there is none. */
  readonly lastSequence: number;
}

/** Reads all items, or the newest, and those before them that they cannot do without. */
export async function readItems(history: ItemHistory, limit?: number): Promise<ReadItems> {
  let { stored, damaged }: Newest =
    limit === undefined ? await history.load() : await loadNewest(history, limit);
  let { kept, orphans } = withoutOrphans(stored);
  const itemCount = kept.filter(({ item }) => item !== undefined).length;
  if (limit !== undefined && orphans.length > 0 && itemCount < limit) {
    // What takes the places of those that were left out may lie anywhere before.
    ({ stored, damaged } = await history.load());
    ({ kept, orphans } = withoutOrphans(stored));
    kept = kept.slice(startOfNewest(kept, limit).start);
  }
  history.report(damaged);
  for (const { record } of orphans) {
    history.warn(
      'orphan_result',
      `The result at sequence ${record.sequence} was left out: its call is not there.`,
    );
  }
  return {
    items: kept.flatMap(({ item }) => item ?? []),
    lastSequence: stored.at(-1)?.record.sequence ?? 0,
  };
}

interface Newest {
  readonly stored: readonly StoredItem[];
  readonly damaged: readonly DamagedRecord[];
}

async function loadNewest(history: ItemHistory, limit: number): Promise<Newest> {
  let stored: readonly StoredItem[] = [];
  let damaged: readonly DamagedRecord[] = [];
  let before: number | undefined;
  for (let size = limit; ; size = Math.max(limit, pageSize)) {
    const page = await history.load({ limit: size, ...(before === undefined ? {} : { before }) });
    stored = [...page.stored, ...stored];
    damaged = [...page.damaged, ...damaged];
    const { start, complete } = startOfNewest(stored, limit);
    const all = page.stored.length + page.withheld < size;
    if (complete || all) return { stored: stored.slice(start), damaged };
    const lowest = lowestSequence(page);
    // Where the store cannot say where the damage lies, only the whole leads on.
    if (lowest === undefined) {
      const whole = await history.load();
      const { start: first } = startOfNewest(whole.stored, limit);
      return { stored: whole.stored.slice(first), damaged: whole.damaged };
    }
    before = lowest;
  }
}

/** Where the newest items begin with the groups that they are part of, and whether all of that is there. */
function startOfNewest(
  stored: readonly StoredItem[],
  limit: number,
): { readonly start: number; readonly complete: boolean } {
  let start = stored.length;
  for (let wanted = limit; start > 0 && wanted > 0; ) {
    start -= 1;
    if (stored[start]?.item !== undefined) wanted -= 1;
    if (wanted > 0 && start === 0) return { start: 0, complete: false };
  }
  // A group has the id of its first record.
  const firsts = new Map(stored.map(({ record }, index) => [record.id, index]));
  let complete = stored.length > 0;
  for (let index = stored.length - 1; index >= start; index -= 1) {
    const first = firsts.get(stored[index]?.record.group ?? '');
    if (first === undefined) complete = false;
    else start = Math.min(start, first);
  }
  return { start, complete };
}

function lowestSequence({ stored, damaged }: Newest): number | undefined {
  const sequences = [
    ...stored.map(({ record }) => record.sequence),
    ...damaged.flatMap(({ sequence }) => sequence ?? []),
  ];
  return sequences.length === 0 ? undefined : Math.min(...sequences);
}

/**
 * Leaves out results whose call is not before them: it cannot be read, or was trimmed, cleared or taken back
 * while its result was out. A model's service refuses such in every later run.
 */
function withoutOrphans(stored: readonly StoredItem[]): {
  readonly kept: readonly StoredItem[];
  readonly orphans: readonly StoredItem[];
} {
  const readable = stored.filter(({ item }) => item !== undefined);
  const unanswered = unansweredResults(readable.flatMap(({ item }) => item ?? []));
  const orphans = readable.filter((_, index) => unanswered.has(index));
  const left = new Set(orphans);
  return { kept: stored.filter((entry) => !left.has(entry)), orphans };
}
