import { ConfigurationError } from './errors.js';
import type { HistoryRecord } from './history-backend.js';

/** What trimming has to know of a record. */
export type TrimmableRecord = Pick<HistoryRecord, 'kind' | 'group'>;

/** What trimming has to know of a history. */
export interface TrimPlan {
  /** How many records the history holds, system records included. */
  readonly total: number;
  /** How many it may hold. */
  readonly maxMessages: number;
  /** The group of the newest record that is not of the kind `system`. It is never dropped. */
  readonly newestGroup: string | undefined;
  /** How many records of a group are not of the kind `system`. */
  sizeOf(group: string): number;
}

/**
 * Which groups to drop so that a history holds at most `maxMessages` records.
 *
 * Groups go whole and oldest first. Records of the kind `system` count towards the limit but never go,
 * and the newest group never goes: with many system records, or with a newest group larger than the
 * limit, more than `maxMessages` stay.
 *
 * @param oldestFirst - The records from the front. It is read only as far as needed, so that a store
 * can hand over a cursor.
 */
export function groupsToDrop(
  oldestFirst: Iterable<TrimmableRecord>,
  plan: TrimPlan,
): ReadonlySet<string> {
  const dropped = new Set<string>();
  let excess = plan.total - plan.maxMessages;
  if (excess <= 0) return dropped;
  for (const { kind, group } of oldestFirst) {
    if (kind === 'system' || group === plan.newestGroup || dropped.has(group)) continue;
    dropped.add(group);
    excess -= plan.sizeOf(group);
    if (excess <= 0) break;
  }
  return dropped;
}

/** A history after trimming. */
export interface TrimmedRecords<R> {
  /** What stays, in its order. */
  readonly kept: readonly R[];
  /** What goes, in its order. */
  readonly dropped: readonly R[];
}

/**
 * Divides a history that is at hand as a whole into what stays and what goes, by the rules of
 * {@link groupsToDrop}. Takes time in proportion to the number of records.
 *
 * @param records - In ascending order of sequence. They are not changed.
 */
export function trimRecords<R extends TrimmableRecord>(
  records: readonly R[],
  maxMessages: number,
): TrimmedRecords<R> {
  if (records.length <= maxMessages) return { kept: records, dropped: [] };
  const sizes = groupSizes(records);
  const groups = groupsToDrop(records, {
    total: records.length,
    maxMessages,
    newestGroup: records.findLast((record) => record.kind !== 'system')?.group,
    sizeOf: (group) => sizes.get(group) ?? 0,
  });
  const kept: R[] = [];
  const dropped: R[] = [];
  for (const record of records) {
    const goes = record.kind !== 'system' && groups.has(record.group);
    (goes ? dropped : kept).push(record);
  }
  return { kept, dropped };
}

/** How many records of each group are not of the kind `system`. */
export function groupSizes(records: Iterable<TrimmableRecord>): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const { kind, group } of records) {
    if (kind !== 'system') sizes.set(group, (sizes.get(group) ?? 0) + 1);
  }
  return sizes;
}

/**
 * Checks the option `maxMessages` of a backend.
 *
 * @throws ConfigurationError unless it is a whole number of at least 1, or absent (no limit).
 */
export function checkMaxMessages(maxMessages: number | undefined, packageName: string): void {
  if (maxMessages === undefined) return;
  if (!Number.isSafeInteger(maxMessages) || maxMessages < 1) {
    throw new ConfigurationError(
      `maxMessages is ${String(maxMessages)}. Give it a whole number of at least 1, or leave it out to keep every message.`,
      { packageName, field: 'maxMessages' },
    );
  }
}
