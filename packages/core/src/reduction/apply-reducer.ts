import type { ChatReducer, ReduceResult, ReductionReport } from '../chat-reducer.js';
import type { Warning } from '../context-provider.js';
import { errorText } from '../error-text.js';
import { settleApprovals } from '../run/approvals.js';
import { raceAbort } from '../run/race-abort.js';
import { countFixedParts, countMessages, type FixedParts } from './fixed-parts.js';
import { broken, placeReduction } from './place-reduction.js';
import type { PlacedMessage } from './placed-message.js';

/** What came of a reducer. */
export interface AppliedReduction {
  /** What is left; the very array that was given when nothing was reduced. */
  readonly items: readonly PlacedMessage[];
  readonly reports: readonly ReductionReport[];
  readonly warnings: readonly Omit<Warning, 'sourceId'>[];
}

/**
 * Has a reducer reduce messages, but only those before the first tool call that waits for approval: a
 * decision may come at any time, and the call must then be there with all that followed.
 *
 * A reducer that fails, or breaks a law that can be seen here, changes nothing and is a warning.
 * @throws The reason of `signal`, also while the reducer takes no notice of it.
 */
export async function applyReducer(
  reducer: ChatReducer,
  items: readonly PlacedMessage[],
  fixed: FixedParts,
  signal: AbortSignal,
): Promise<AppliedReduction> {
  const waiting = firstWaiting(items);
  const reducible = items.slice(0, waiting);
  const rest = items.slice(waiting);
  // What is sent beside a history may be too much even when there is none, and that must be said.
  if (reducible.length === 0 && reducer.tokenCounter === undefined) {
    return { items, reports: [], warnings: [] };
  }
  try {
    const messages = Object.freeze(reducible.map(({ message }) => message));
    const fixedTokens = fixedTokensOf(reducer, fixed, rest);
    const reducing = (async () => reducer.reduce(messages, { signal, ...fixedTokens }))();
    const result = await raceAbort(reducing, signal);
    checkNotes(result);
    const placed = result.messages === messages ? reducible : placeReduction(reducible, result);
    return {
      items: placed === reducible ? items : [...placed, ...rest],
      reports: [...result.reports],
      warnings: [...result.warnings],
    };
  } catch (error) {
    signal.throwIfAborted();
    const message = `The reducer ${reducer.id} failed, and the messages stay as they were: ${errorText(error)}`;
    return { items, reports: [], warnings: [{ code: 'reducer_failed', message }] };
  }
}

/** A run reads and passes on what a reducer reports and warns of, and must not fail by it. */
function checkNotes({ reports, warnings }: ReduceResult): void {
  if (!Array.isArray(reports) || reports.some((report) => typeof report?.reason !== 'string')) {
    throw broken('gave reports that are none');
  }
  const isWarning = (it: Partial<Warning> | null): boolean =>
    typeof it?.code === 'string' && typeof it.message === 'string';
  if (!Array.isArray(warnings) || !warnings.every(isWarning)) {
    throw broken('gave warnings that are none');
  }
}

function fixedTokensOf(
  { tokenCounter }: ChatReducer,
  fixed: FixedParts,
  rest: readonly PlacedMessage[],
): { readonly fixedTokens?: number } {
  if (tokenCounter === undefined) return {};
  const waiting = rest.map(({ message }) => message);
  return {
    fixedTokens: countFixedParts(fixed, tokenCounter) + countMessages(waiting, tokenCounter),
  };
}

/** The index of the first message with a call that has been neither run nor refused; the length when there is none. */
function firstWaiting(items: readonly PlacedMessage[]): number {
  const asks = items.some(({ message }) =>
    message.contents.some(({ type }) => type === 'approval_request'),
  );
  if (!asks) return items.length;
  const { settled, waiting } = settleApprovals(
    items.map(({ message }) => message),
    [],
  );
  const open = new Set([...settled, ...waiting].map(({ toolCall }) => toolCall));
  const index = items.findIndex(({ message }) =>
    message.contents.some(
      (content) => content.type === 'approval_request' && open.has(content.toolCall),
    ),
  );
  return index < 0 ? items.length : index;
}
