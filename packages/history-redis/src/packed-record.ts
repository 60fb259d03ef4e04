import {
  type DamagedRecord,
  type HistoryRecord,
  type NewHistoryRecord,
  recordProblem,
} from '@minne/core';

/** Stands between the fields of a record. Ids and groups never hold it; the payload, which may, is last. */
const separator = '\0';

/** A record but for its sequence, which the script puts before it. A group that is the id is left empty. */
export function packRecord({ v, id, group, kind, payload }: NewHistoryRecord): string {
  return [v, kind, id, group === id ? '' : group, payload].join(separator);
}

/** Takes apart `sequence`, U+0000, and what {@link packRecord} made. */
export function unpackRecord(packed: unknown): HistoryRecord | DamagedRecord {
  if (typeof packed !== 'string') return { reason: 'its record is no text' };
  const fields: string[] = [];
  let from = 0;
  while (fields.length < 5) {
    const to = packed.indexOf(separator, from);
    if (to === -1) break;
    fields.push(packed.slice(from, to));
    from = to + 1;
  }
  const [place = packed, v = '', kind = '', id = '', group = ''] = fields;
  const sequence = Number(/^\d+$/.test(place) ? place : 0);
  if (!Number.isSafeInteger(sequence) || sequence < 1)
    return { reason: 'its record does not begin with its sequence' };
  if (fields.length < 5) return { sequence, reason: 'its record is cut off' };
  const record = { v: Number(v), id, group: group || id, kind, payload: packed.slice(from) };
  const problem = recordProblem(record);
  if (problem !== undefined) {
    return { sequence, reason: `its record${problem.field} ${problem.text}` };
  }
  return { sequence, ...(record as NewHistoryRecord) };
}
