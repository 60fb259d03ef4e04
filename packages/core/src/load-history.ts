import type { Warning } from './context-provider.js';
import { deepFreeze } from './deep-freeze.js';
import { errorText } from './error-text.js';
import type {
  DamagedRecord,
  HistoryBackend,
  HistoryKey,
  HistoryRecord,
  LoadOptions,
  LoadResult,
} from './history-backend.js';
import { fromRecord } from './history-record.js';
import type { PlacedMessage } from './reduction/placed-message.js';

/** What a run asks of its history. */
export interface LoadForRun extends Omit<LoadOptions, 'before'> {
  /** The name of the run, when it may have been made before. */
  readonly operationId: string | undefined;
}

/** Loads the newest records up to the limit; more only where the limit hides what the run cannot do without. */
export async function loadForRun(
  backend: HistoryBackend,
  key: HistoryKey,
  { operationId, limit: wanted, ...options }: LoadForRun,
): Promise<LoadResult> {
  let limit = wanted;
  for (;;) {
    const loaded = await backend.load(key, {
      ...options,
      ...(limit === undefined ? {} : { limit }),
    });
    const { records, damaged, knownIds } = loaded;
    const all = limit === undefined || records.length + damaged.length < limit;
    if (limit === undefined || limit === 0 || all) return loaded;
    // What a run of this name has answered may lie anywhere.
    if (operationId !== undefined && knownIds.length > 0) limit = undefined;
    // Calls that wait for approval stand at the head of the newest group.
    else if (holdsNewestGroup(records)) return loaded;
    else limit *= 2;
  }
}

/** Whether the newest group is there from its first record, which gives it its name. */
function holdsNewestGroup(records: readonly HistoryRecord[]): boolean {
  const newest = records.findLast(({ kind }) => kind !== 'system')?.group;
  return newest === undefined || records.some(({ id }) => id === newest);
}

/** What was read of what was loaded. */
export interface DecodedHistory {
  /** The messages, frozen, with their places. */
  readonly items: readonly PlacedMessage[];
  /** What could not be read. */
  readonly damaged: readonly DamagedRecord[];
}

/** For how many milliseconds records are read before others have their turn. */
const slice = 10;

/** After how many records the time is looked at. */
const batchSize = 64;

/**
 * Reads what was loaded. Of a long history a part at a time, so that others have their turn in between.
 * @throws The reason of `signal`.
 */
export async function decodeLoaded(
  { records, damaged }: LoadResult,
  signal: AbortSignal | undefined,
): Promise<DecodedHistory> {
  const items: PlacedMessage[] = [];
  const unreadable = [...damaged];
  let begun = performance.now();
  for (const [index, record] of records.entries()) {
    if (index % batchSize === batchSize - 1 && performance.now() - begun > slice) {
      await othersTurn();
      signal?.throwIfAborted();
      begun = performance.now();
    }
    const { sequence } = record;
    try {
      items.push({ sequence, message: deepFreeze(fromRecord(record)), made: false });
    } catch (error) {
      unreadable.push({ sequence, reason: errorText(error) });
    }
  }
  return { items, damaged: unreadable };
}

/** Lets whatever else waits on this thread go first. */
function othersTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** What a run is told of a record that was left out. */
export function damageWarning(
  sourceId: string,
  { sequence, reason }: DamagedRecord,
): Omit<Warning, 'sourceId'> {
  const place = sequence === undefined ? 'A message' : `The message at sequence ${sequence}`;
  return {
    code: 'damaged_record',
    message: `${place} in ${sourceId} could not be read and was left out: ${reason}`,
  };
}
