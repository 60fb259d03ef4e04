import { deepFreeze } from '../deep-freeze.js';
import { isJsonObject, type JsonObject, type JsonValue, toJsonValue } from '../json.js';
import { parseMessage } from '../message.js';
import type { SessionState } from '../session.js';
import { isSummary, type PlacedMessage } from './placed-message.js';

/** The member of the provider's slot that holds what reductions have left. */
const member = 'reduction';

/** The layout that this version writes. */
const layoutVersion = 1;

/** Of how many reducers a session keeps reductions: several agents may share it. */
const maximumKept = 4;

/**
 * What reductions have left of a history, up to a place; whatever comes after it is as it is stored.
 * Sequences are never used twice, so it stays true while messages are added.
 */
export interface KeptReduction {
  /** The `id` of the reducer. */
  readonly reducer: string;
  /** The last record that is not sent as it is stored. */
  readonly through: { readonly sequence: number; readonly id: string };
  /** First and last sequence of records up to there that are sent as they are stored. */
  readonly kept: readonly (readonly [number, number])[];
  /** Summaries and rewritten messages. */
  readonly made: readonly PlacedMessage[];
}

/** What is kept of a reducer, or `undefined` when there is nothing that this version can read. */
export function readReduction(state: SessionState, reducerId: string): KeptReduction | undefined {
  const found = keptIn(state).find((entry) => isOf(entry, reducerId));
  if (!isJsonObject(found)) return undefined;
  const { reducer, through, kept, made } = found;
  if (typeof reducer !== 'string' || !isJsonObject(through)) return undefined;
  const { sequence, id } = through;
  if (typeof sequence !== 'number' || typeof id !== 'string') return undefined;
  if (!Array.isArray(kept) || !kept.every(isRange) || !Array.isArray(made)) return undefined;
  try {
    return { reducer, through: { sequence, id }, kept, made: made.map(placed) };
  } catch {
    // Somebody edited it. It can be worked out again, and is.
    return undefined;
  }
}

/** Whether a newer version of this package has kept something here, which is to be left alone. */
export function holdsNewerReduction(state: SessionState): boolean {
  const v = memberOf(state)?.['v'];
  return typeof v === 'number' && v > layoutVersion;
}

/** Keeps a reduction in place of what is kept of its reducer. Of other reducers, the newest few stay. */
export function writeReduction(state: SessionState, reduction: KeptReduction): void {
  const made = reduction.made.map(({ sequence, message }) => ({ sequence, message }));
  const others = keptIn(state).filter((entry) => !isOf(entry, reduction.reducer));
  const kept = [{ ...reduction, made }, ...others.slice(0, maximumKept - 1)];
  state[member] = deepFreeze(toJsonValue({ v: layoutVersion, kept }));
}

/**
 * Forgets what is kept: the history it was made of has been edited.
 * @param reducerId - Only of this reducer. Default: of all.
 */
export function forgetReduction(state: SessionState, reducerId?: string): void {
  const others = keptIn(state).filter(
    (entry) => reducerId !== undefined && !isOf(entry, reducerId),
  );
  if (others.length === 0) delete state[member];
  else state[member] = deepFreeze({ v: layoutVersion, kept: others });
}

/** What a reduction leaves of the records that were loaded. */
export function applyReduction(
  { through, kept, made }: KeptReduction,
  loaded: readonly PlacedMessage[],
): readonly PlacedMessage[] {
  const rewritten = new Map(made.map((item) => [item.sequence, item]));
  const view = made.filter(({ message }) => isSummary(message));
  let range = 0;
  for (const item of loaded) {
    const { sequence } = item;
    while ((kept[range]?.[1] ?? Number.POSITIVE_INFINITY) < sequence) range += 1;
    const from = kept[range]?.[0] ?? Number.POSITIVE_INFINITY;
    const other = rewritten.get(sequence);
    if (sequence > through.sequence || from <= sequence) view.push(item);
    // A summary may have been rewritten too, and is among those already.
    else if (other?.message.id === item.message.id && !isSummary(other.message)) view.push(other);
  }
  return view.sort((one, another) => one.sequence - another.sequence);
}

/**
 * The reduction that leaves `view` of `loaded`.
 * @param before - What was kept so far.
 * @returns `undefined` when everything is sent as it is stored.
 */
export function reductionOf(
  reducer: string,
  loaded: readonly PlacedMessage[],
  view: readonly PlacedMessage[],
  before: KeptReduction | undefined,
): KeptReduction | undefined {
  const asStored = new Set(view.filter(({ made }) => !made).map(({ sequence }) => sequence));
  const last = loaded.findLastIndex(({ sequence }) => !asStored.has(sequence));
  const found = loaded[last];
  const kept: [number, number][] = [];
  let open: [number, number] | undefined;
  for (const { sequence } of loaded.slice(0, last + 1)) {
    if (!asStored.has(sequence)) open = undefined;
    else if (open !== undefined) open[1] = sequence;
    else {
      open = [sequence, sequence];
      kept.push(open);
    }
  }
  const through =
    found === undefined || found.sequence < (before?.through.sequence ?? 0)
      ? before?.through
      : { sequence: found.sequence, id: found.message.id };
  if (through === undefined) return undefined;
  return { reducer, through, kept, made: view.filter(({ made }) => made) };
}

function memberOf(state: SessionState): JsonObject | undefined {
  const found = Object.hasOwn(state, member) ? state[member] : undefined;
  return isJsonObject(found) ? found : undefined;
}

/** What is kept, newest first, as far as it is of this layout. */
function keptIn(state: SessionState): readonly JsonValue[] {
  const { v, kept } = memberOf(state) ?? {};
  return v === layoutVersion && Array.isArray(kept) ? kept : [];
}

function isOf(entry: JsonValue, reducerId: string): boolean {
  return isJsonObject(entry) && entry['reducer'] === reducerId;
}

function isRange(value: JsonValue): value is [number, number] {
  return (
    Array.isArray(value) && value.length === 2 && value.every((end) => typeof end === 'number')
  );
}

function placed(value: JsonValue): PlacedMessage {
  const { sequence, message } = isJsonObject(value) ? value : {};
  if (typeof sequence !== 'number') throw new TypeError('A reduced message has no sequence.');
  return { sequence, message: deepFreeze(parseMessage(message)), made: true };
}
