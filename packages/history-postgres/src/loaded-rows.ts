import {
  type DamagedRecord,
  type HistoryRecord,
  type LoadResult,
  recordProblem,
} from '@minne/core';
import { fromStoredText } from './payload-text.js';
import type { Row } from './postgres-connection.js';

/** Reads what the function `history_load` returned, in its order: the history, known ids, records. */
export function readLoaded(rows: readonly Row[]): LoadResult {
  const records: HistoryRecord[] = [];
  const damaged: DamagedRecord[] = [];
  const knownIds: string[] = [];
  let version = '0';
  for (const row of rows) {
    const [part, sequence, , id] = row;
    if (part === 'history') version = String(sequence);
    else if (part === 'known') knownIds.push(String(id));
    else {
      const read = decode(row);
      if ('reason' in read) damaged.push(read);
      else records.push(read);
    }
  }
  return { records: records.reverse(), version, knownIds, damaged: damaged.reverse() };
}

function decode([, place, v, id, group, kind, text]: Row): HistoryRecord | DamagedRecord {
  const sequence = Number(place);
  const record = { v: Number(v), id, group, kind, payload: fromStoredText(text ?? '') };
  const problem = recordProblem(record);
  if (problem !== undefined) {
    return { sequence, reason: `its record${problem.field} ${problem.text}` };
  }
  return { ...(record as Omit<HistoryRecord, 'sequence'>), sequence };
}
