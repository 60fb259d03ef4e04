import { InvalidInputError } from './errors.js';
import type { DamagedRecord, HistoryRecord } from './history-backend.js';
import { isSequence, recordProblem, rememberedIdCount } from './history-input.js';
import { isJsonObject, type JsonValue } from './json.js';
import type { SessionState } from './session.js';
import { groupSizes } from './trim-records.js';

/** The member of the provider's slot that holds its history. */
const member = 'history';

/** The layout that this version writes. */
const layoutVersion = 1;

/** How many records a page holds: an append copies one page and the list of pages. */
const pageSize = 64;

/** A page: records, or what became of them when somebody edited the session. */
type Page = readonly JsonValue[];

/**
 * A history as it lies in a session, as plain JSON.
 *
 * It is never changed once it is written: an append puts another in its place that shares the older
 * pages. What this version writes is frozen down to the records, so that whatever is derived from one
 * holds as long as the object does.
 */
export type SessionHistory = {
  readonly v: number;
  /** Counts the writes; goes on after `clear`, so that no version comes twice. */
  readonly version: number;
  /** The highest sequence ever used; goes on after `clear`. */
  readonly lastSequence: number;
  readonly pages: readonly Page[];
  /** Ids of messages that were trimmed or replaced, oldest first, in pages like those of records. */
  readonly removedIds: readonly Page[];
};

/** The history of a session that has none yet. */
const emptyHistory: SessionHistory = Object.freeze({
  v: layoutVersion,
  version: 0,
  lastSequence: 0,
  pages: Object.freeze([]),
  removedIds: Object.freeze([]),
});

/** Whether a slot holds a history with messages in it, of whatever layout. */
export function holdsHistory(state: SessionState | undefined): boolean {
  const found = state !== undefined && Object.hasOwn(state, member) ? state[member] : undefined;
  return isJsonObject(found) && !(Array.isArray(found['pages']) && found['pages'].length === 0);
}

/** @throws InvalidInputError when what is there is of a newer layout, or no history at all. */
export function readHistory(state: SessionState, packageName: string): SessionHistory {
  const found = Object.hasOwn(state, member) ? state[member] : undefined;
  if (found === undefined) return emptyHistory;
  const field = `state.${member}`;
  const { v, version, lastSequence, pages, removedIds } = isJsonObject(found) ? found : {};
  if (typeof v === 'number' && v > layoutVersion) {
    throw new InvalidInputError(
      `${field} was written in layout ${v}, and this version reads up to ${layoutVersion}. Update the package.`,
      { packageName, field: `${field}.v` },
    );
  }
  if (
    v !== layoutVersion ||
    !isCount(version) ||
    !isCount(lastSequence) ||
    !Array.isArray(pages) ||
    !Array.isArray(removedIds)
  ) {
    throw new InvalidInputError(
      `${field} is not a history of layout ${layoutVersion}. Restore the session from a copy, or delete ${field} to begin anew.`,
      { packageName, field },
    );
  }
  return found as SessionHistory;
}

/** Puts a history in place of what the slot holds, frozen. */
export function writeHistory(state: SessionState, history: SessionHistory): void {
  Object.freeze(history.pages);
  Object.freeze(history.removedIds);
  state[member] = Object.freeze(history);
}

/** Pages with records added at the end. Full pages are shared with the given ones. */
export function appendToPages(
  pages: readonly Page[],
  records: readonly HistoryRecord[],
): readonly Page[] {
  return appendEntries(pages, records.map(frozenRecord));
}

/**
 * Pages of remembered ids with others added at the end. Of the oldest, as many pages go as leave at
 * least {@link rememberedIdCount} ids; theirs are returned as forgotten.
 */
export function rememberIds(
  pages: readonly Page[],
  ids: readonly string[],
): { readonly pages: readonly Page[]; readonly forgotten: readonly JsonValue[] } {
  const all = appendEntries(pages, ids);
  let excess = -rememberedIdCount;
  for (const page of all) excess += entriesOf(page).length;
  let gone = 0;
  for (const page of all) {
    excess -= entriesOf(page).length;
    if (excess < 0) break;
    gone += 1;
  }
  return { pages: all.slice(gone), forgotten: [...entriesFromFront(all.slice(0, gone))] };
}

function appendEntries(pages: readonly Page[], entries: readonly JsonValue[]): readonly Page[] {
  const last = pages.at(-1);
  const open = last !== undefined && Array.isArray(last) && last.length < pageSize;
  const tail: JsonValue[] = [...(open ? last : []), ...entries];
  const result = open ? pages.slice(0, -1) : pages.slice();
  for (let start = 0; start < tail.length; start += pageSize) {
    result.push(Object.freeze(tail.slice(start, start + pageSize)));
  }
  return result;
}

/** Pages without the records that trimming drops, and those records. Untouched pages are shared. */
export function dropFromPages(
  pages: readonly Page[],
  groups: ReadonlySet<string>,
  count: number,
): { readonly pages: readonly Page[]; readonly dropped: readonly HistoryRecord[] } {
  const dropped: HistoryRecord[] = [];
  const result: Page[] = [];
  for (const page of pages) {
    if (dropped.length === count) {
      result.push(page);
      continue;
    }
    const kept = entriesOf(page).filter((entry) => {
      const record = readRecord(entry);
      if (record === undefined || record.kind === 'system' || !groups.has(record.group))
        return true;
      dropped.push(record);
      return false;
    });
    if (kept.length > 0) result.push(Object.freeze(kept));
  }
  return { pages: result, dropped };
}

/** The entries of all pages, from the front; of a page that was damaged as a whole, one. */
export function* entriesFromFront(pages: readonly Page[]): Generator<JsonValue> {
  for (const page of pages) yield* entriesOf(page);
}

/** The entries of all pages, from the end. */
export function* entriesFromEnd(pages: readonly Page[]): Generator<JsonValue> {
  for (let number = pages.length - 1; number >= 0; number--) {
    const entries = entriesOf(pages[number] ?? []);
    for (let index = entries.length - 1; index >= 0; index--) yield entries[index] ?? null;
  }
}

/** The readable records, from the front. */
export function* recordsFromFront(pages: readonly Page[]): Generator<HistoryRecord> {
  for (const entry of entriesFromFront(pages)) {
    const record = readRecord(entry);
    if (record !== undefined) yield record;
  }
}

/**
 * The entry as a record, or `undefined` when it is none. One that was resumed from JSON is frozen where
 * it lies, as those are that this version writes, so that it can be handed out and need not be looked
 * at again.
 */
export function readRecord(entry: JsonValue): HistoryRecord | undefined {
  const known = typeof entry === 'object' && entry !== null && whole.has(entry);
  if (known) return entry as JsonValue & HistoryRecord;
  if (entryProblem(entry) !== undefined) return undefined;
  const record: HistoryRecord = entry as JsonValue & HistoryRecord;
  // Members of a later version may hold objects of their own.
  if (Object.keys(record).length > recordMembers) return { ...record };
  whole.add(Object.freeze(record));
  return record;
}

/** What is wrong with an entry that is no record. */
export function damageOf(entry: JsonValue): DamagedRecord {
  const sequence = isJsonObject(entry) ? entry['sequence'] : undefined;
  const reason = entryProblem(entry) ?? 'it could not be read';
  return isSequence(sequence) ? { sequence, reason } : { reason };
}

/** What can be worked out from a history, kept so that an append need not. */
export interface HistoryIndex {
  /** Ids of the records and of removed ones. */
  readonly ids: Set<JsonValue>;
  /** How many records of each group are not of the kind `system`. */
  readonly groups: Map<string, number>;
  /** How many readable records there are. */
  total: number;
}

/** Works out the index from the history itself. */
export function indexHistory({ pages, removedIds }: SessionHistory): HistoryIndex {
  const records = [...recordsFromFront(pages)];
  return {
    ids: new Set([...entriesFromFront(removedIds), ...records.map(({ id }) => id)]),
    groups: groupSizes(records),
    total: records.length,
  };
}

function entriesOf(page: Page): Page {
  return Array.isArray(page) ? page : [page];
}

/** Records written by this version are known to be whole: they are frozen. */
const whole = new WeakSet<object>();

/** How many members a record of this version has. */
const recordMembers = 6;

function frozenRecord(record: HistoryRecord): JsonValue {
  const { v, sequence, id, group, kind, payload } = record;
  const entry = Object.freeze({ v, sequence, id, group, kind, payload });
  whole.add(entry);
  return entry;
}

function entryProblem(entry: JsonValue): string | undefined {
  const problem = recordProblem(entry);
  if (problem !== undefined) return `its record${problem.field} ${problem.text}`;
  const sequence = isJsonObject(entry) ? entry['sequence'] : undefined;
  return isSequence(sequence) ? undefined : 'its record.sequence is no whole number of at least 1';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
