import type { ChatReducer, ReductionReport } from '../chat-reducer.js';
import type { Warning } from '../context-provider.js';
import { errorText } from '../error-text.js';
import { ConflictError } from '../errors.js';
import type { HistoryBackend, HistoryKey, HistoryRecord } from '../history-backend.js';
import { recordVersion } from '../history-backend.js';
import { decodeLoaded } from '../load-history.js';
import { raceAbort } from '../run/race-abort.js';
import { AfterRunTimeoutError } from '../run-errors.js';
import type { SessionState } from '../session.js';
import { type AppliedReduction, applyReducer } from './apply-reducer.js';
import type { FixedParts } from './fixed-parts.js';
import { isSummary, type PlacedMessage } from './placed-message.js';

/** How often a compaction is tried when others write at the same time. */
const maximumAttempts = 4;

/** What is to be compacted. */
export interface CompactionOptions {
  readonly backend: HistoryBackend;
  readonly key: HistoryKey;
  readonly state: SessionState;
  readonly reducer: ChatReducer;
  readonly fixed: FixedParts;
  readonly signal: AbortSignal;
}

/** What came of a compaction. */
export interface Compaction {
  readonly reports: readonly ReductionReport[];
  readonly warnings: readonly Omit<Warning, 'sourceId'>[];
}

/** What is to be put in place of records. */
interface Plan extends AppliedReduction {
  readonly replaced: readonly HistoryRecord[];
}

/**
 * Puts what a reducer leaves in place of what is stored, in one step. What others append meanwhile stays
 * as it is, and the reducer is asked again only when they changed what it was given.
 *
 * Never throws: the history is left as it was, and a warning says why.
 */
export async function compactHistory(options: CompactionOptions): Promise<Compaction> {
  try {
    return await raceAbort(compact(options), options.signal);
  } catch (error) {
    const { signal } = options;
    if (!signal.aborted) return dropped(errorText(error));
    return dropped(
      AfterRunTimeoutError.isInstance(signal.reason)
        ? 'it took longer than the afterRunTimeout of the agent allows'
        : 'the run was aborted while it was made',
    );
  }
}

async function compact(options: CompactionOptions): Promise<Compaction> {
  const { backend, key, reducer, fixed, signal, state } = options;
  let plan: Plan | undefined;
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    const loaded = await backend.load(key, { signal, state });
    const { records, version } = loaded;
    const { items, damaged } = await decodeLoaded(loaded, signal);
    if (damaged.length > 0) {
      return dropped(
        `it holds ${damaged.length} damaged records, which a compaction would lose. Mend or clear the session`,
      );
    }
    if (plan === undefined || !beginsWith(records, plan.replaced)) {
      const applied = await applyReducer(reducer, items, fixed, signal);
      if (applied.items === items) return applied;
      plan = { ...applied, replaced: records };
    }
    const { replaced } = plan;
    const left = [...recordsOf(plan.items, replaced), ...records.slice(replaced.length)];
    try {
      await backend.replace?.(key, left, { version, signal, state });
      return plan;
    } catch (error) {
      if (!ConflictError.isInstance(error)) throw error;
    }
  }
  return dropped(`others wrote to it during each of ${maximumAttempts} attempts`);
}

/** Whether the records are those of before, unchanged, with more after them at most. */
function beginsWith(records: readonly HistoryRecord[], before: readonly HistoryRecord[]): boolean {
  return before.every(({ sequence, id, payload }, index) => {
    const record = records[index];
    return record?.sequence === sequence && record.id === id && record.payload === payload;
  });
}

function recordsOf(
  items: readonly PlacedMessage[],
  replaced: readonly HistoryRecord[],
): HistoryRecord[] {
  const records = new Map(replaced.map((record) => [record.sequence, record]));
  return items.map(({ sequence, message, made }) => {
    const record = records.get(sequence);
    if (record !== undefined && !made) return record;
    const { id } = message;
    const changed = { v: recordVersion, id, sequence, payload: JSON.stringify(message) };
    return isSummary(message) || record === undefined
      ? { ...changed, group: id, kind: 'summary' }
      : { ...changed, group: record.group, kind: record.kind };
  });
}

function dropped(reason: string): Compaction {
  const message = `The history was not compacted: ${reason.replace(/\.$/, '')}.`;
  return { reports: [], warnings: [{ code: 'compaction_dropped', message }] };
}
