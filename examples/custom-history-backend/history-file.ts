import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  type DamagedRecord,
  encodeHistoryKey,
  type HistoryKey,
  type HistoryRecord,
  recordProblem,
  StoreError,
} from '@minne/core';
import { ifMissing } from '#durable-files';
import { packageName } from '#package-name';

/** The layout of the files that this version writes, and the newest that it reads. */
const layout = 1;

/** What each line says of the write that it belongs to. */
export interface Write {
  /** The version of the history after it. Counts up over all histories of the folder. */
  readonly number: number;
  /** RFC 3339, UTC. */
  readonly updatedAt: string;
  readonly actorId?: string;
}

/** What the first line says beside that. */
export interface Head {
  readonly layout: number;
  readonly sessionId: string;
  readonly sourceId: string;
  /** Of removed messages, oldest first. */
  readonly removedIds: readonly string[];
}

/** A line that is there in whole: it has a head or a record, or cannot be read. */
interface Line {
  readonly head?: Head;
  readonly record?: HistoryRecord;
  readonly damage?: DamagedRecord;
  /** `left` lines of the same write follow. */
  readonly write?: Write & { readonly left: number };
  /** The byte after its line feed. */
  readonly end: number;
  /** Its sequence, or as long as that is not known, the last one before it. */
  readonly place: number;
}

/** A history as it lies in its file. */
export interface HistoryFile {
  readonly head: Head | undefined;
  /** The last write that came to its end. */
  readonly last: Write | undefined;
  /** In order. A line that cannot be read stands as a damage in its place. */
  readonly lines: readonly Pick<Line, 'record' | 'damage' | 'place'>[];
  /** How many bytes the writes take that came to their end. */
  readonly size: number;
  /** Whether more follows: a write that goes on, or one that was cut off. */
  readonly hasRest: boolean;
}

/** The name of the file of a history: the same length for all, and no difference between `A` and `a`. */
export function historyFileName(key: HistoryKey): string {
  const name = encodeHistoryKey(key, { packageName, sessionId: key.sessionId });
  return `${createHash('sha256').update(name).digest('hex')}.jsonl`;
}

/** What the first line of a history's file says. */
export function headOf({ sessionId, sourceId }: HistoryKey, removedIds: readonly string[]): Head {
  return { layout, sessionId, sourceId, removedIds };
}

/** The lines of one write. All count if the last one is there, or else none. */
export function formatWrite(
  write: Write,
  records: readonly HistoryRecord[],
  head: Head | undefined,
): string {
  const parts = [
    ...(head === undefined ? [] : [{ head }]),
    ...records.map((record) => ({ record })),
  ];
  return parts
    .map((part, index) => ({ ...part, write: { ...write, left: parts.length - 1 - index } }))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

/** Reads a file. One that is not there is an empty history. */
export async function readHistoryFile(path: string): Promise<HistoryFile> {
  const bytes = await readFile(path).catch(ifMissing(Buffer.alloc(0)));
  const lines: Line[] = [];
  for (let start = 0; ; ) {
    // In bytes, and at line feeds only: text may hold all else that ends lines elsewhere.
    const end = bytes.indexOf('\n', start) + 1;
    if (end === 0) break;
    const line = readLine(bytes.subarray(start, end), path);
    const place = line.record?.sequence ?? line.damage?.sequence ?? lines.at(-1)?.place ?? 0;
    lines.push({ ...line, end, place });
    start = end;
  }
  const whole = withoutUnfinished(lines);
  const size = whole.at(-1)?.end ?? 0;
  return {
    head: whole[0]?.head,
    last: whole.findLast(({ write }) => write !== undefined)?.write,
    lines: whole.filter(({ head }) => head === undefined),
    size,
    hasRest: bytes.byteLength > size,
  };
}

/** What its next replacement has to name. `0` when it was never written. */
export function versionOf({ last }: HistoryFile): string {
  return String(last?.number ?? 0);
}

/** What can be read of it. */
export function recordsOf({ lines }: HistoryFile): readonly HistoryRecord[] {
  return lines.flatMap(({ record }) => record ?? []);
}

/** The ids of what is there, and of what was removed. */
export function knownIdsOf(file: HistoryFile): Set<string> {
  return new Set([...(file.head?.removedIds ?? []), ...recordsOf(file).map(({ id }) => id)]);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readLine(bytes: Uint8Array, path: string): Omit<Line, 'end' | 'place'> {
  let line: unknown;
  try {
    line = JSON.parse(decoder.decode(bytes));
  } catch {
    return { damage: { reason: 'The line is no JSON.' } };
  }
  const { head, record, write } = (line ?? {}) as Partial<Line>;
  if (Number.isSafeInteger(head?.layout) && Number(head?.layout) > layout) {
    throw new StoreError(
      `${path} has layout ${head?.layout}, newer than ${layout}. Update the program that reads it.`,
      { packageName },
    );
  }
  if (!Number.isSafeInteger(write?.number) || !Number.isSafeInteger(write?.left)) {
    return { damage: { reason: 'The line does not say which write it belongs to.' } };
  }
  const part = write === undefined ? {} : { write };
  if (head !== undefined) return { head, ...part };
  const problem = recordProblem(record);
  const sequence = Number.isSafeInteger(record?.sequence) ? record?.sequence : undefined;
  if (record !== undefined && problem === undefined && sequence !== undefined) {
    return { record, ...part };
  }
  const reason =
    problem === undefined ? 'has no sequence' : `${problem.field} ${problem.text}`.trim();
  return {
    damage: { reason: `The record ${reason}.`, ...(sequence === undefined ? {} : { sequence }) },
    ...part,
  };
}

/** The lines without those of a last write that did not come to its end. */
function withoutUnfinished(lines: readonly Line[]): readonly Line[] {
  const index = lines.findLastIndex(({ write }) => write !== undefined);
  const last = lines[index]?.write;
  if (last === undefined || last.left <= lines.length - 1 - index) return lines;
  return lines.slice(
    0,
    lines.findIndex(({ write }) => write?.number === last.number),
  );
}
