import type { Warning } from '../context-provider.js';
import type { HistoryBackend, HistoryKey, LoadResult } from '../history-backend.js';
import type { HistoryFlags } from '../history-options.js';
import type { SessionState } from '../session.js';
import { HistoryView } from './history-view.js';
import type { PlacedMessage } from './placed-message.js';
import {
  forgetReduction,
  holdsNewerReduction,
  type KeptReduction,
  readReduction,
} from './reduction-state.js';

/** The history that a view is wanted of. */
export interface ViewedHistory {
  readonly backend: HistoryBackend;
  readonly key: HistoryKey;
  /** Where reductions are kept. */
  readonly state: SessionState;
  /** What the run has loaded. */
  readonly loaded: LoadResult;
  /** The messages of it. */
  readonly items: readonly PlacedMessage[];
  /** Whether the items are not what is stored, but what the input is going to make of it. */
  readonly edited: boolean;
  readonly signal: AbortSignal;
  warn(warning: Omit<Warning, 'sourceId'>): void;
}

/** The view of what was loaded, when there is a reducer that works on views. */
export async function openView(
  { reducer, reducerTrigger, limit }: HistoryFlags,
  history: ViewedHistory,
): Promise<HistoryView | undefined> {
  if (reducer === undefined || reducerTrigger === 'afterMessageAdded') return undefined;
  const { state, items: loaded } = history;
  // What is kept must be true of what is stored, and that is not stored yet.
  if (history.edited) {
    return new HistoryView({ reducer, loaded, reduction: undefined, state: undefined });
  }
  const reduction = await keptReduction(reducer.id, limit !== undefined, history);
  return new HistoryView({ reducer, loaded, reduction, state });
}

/**
 * What earlier reductions have left, if it is still true. It is not when the record at its boundary is no
 * longer there: the history has been cleared, replaced or trimmed, here or elsewhere. It is forgotten then.
 */
async function keptReduction(
  reducerId: string,
  limited: boolean,
  history: ViewedHistory,
): Promise<KeptReduction | undefined> {
  const { state, warn } = history;
  if (holdsNewerReduction(state)) {
    warn({
      code: 'reduction_not_read',
      message:
        'What the history was reduced to was kept by a newer version of @minne/core. It is left alone, and the history is reduced anew in every run until this version is updated too.',
    });
    return undefined;
  }
  const reduction = readReduction(state, reducerId);
  if (reduction !== undefined && (await holds(reduction, limited, history))) return reduction;
  forgetReduction(state, reducerId);
  return undefined;
}

/** Whether the record at the boundary is there. One that may lie before what was loaded is looked up. */
async function holds(
  { through }: KeptReduction,
  limited: boolean,
  { backend, key, state, loaded, signal }: ViewedHistory,
): Promise<boolean> {
  const isBoundary = ({ records }: LoadResult): boolean =>
    records.some(({ sequence, id }) => sequence === through.sequence && id === through.id);
  const first = loaded.records[0]?.sequence ?? Number.POSITIVE_INFINITY;
  if (!limited || first <= through.sequence) return isBoundary(loaded);
  const before = through.sequence + 1;
  return isBoundary(await backend.load(key, { before, limit: 1, signal, state }));
}
