import type { MemoryEntry } from '@minne/core/memory';
import { packTerms } from '../search/packed-terms.js';
import { encodeSearchRecord } from '../search/search-record.js';
import { sha256 } from '../sha256.js';
import type { EntryRow } from '../storage-port.js';
import { analyseDocument } from '../text/analyse.js';
import { timeAfter } from '../time.js';
import type { EntryFields, EntryKey } from './entry-fields.js';

/** A row with its content. */
export type FullEntryRow = EntryRow & { readonly content: string };

/** A row that was read with its content. */
export function withContent(row: EntryRow): FullEntryRow {
  return { ...row, content: row.content ?? '' };
}

/** The row of an entry that there was not. */
export async function newEntryRow(
  id: string,
  key: EntryKey,
  fields: EntryFields,
  now: string,
): Promise<FullEntryRow> {
  const contentSha256 = await sha256(fields.content);
  return { id, ...key, ...fields, contentSha256, createTime: now, updateTime: now, revision: 1 };
}

/** The row that follows `stored` when `fields` change. */
export async function changedEntryRow(
  stored: FullEntryRow,
  fields: Partial<EntryFields>,
  now: string,
): Promise<FullEntryRow> {
  const row = { ...stored, ...fields };
  return {
    ...row,
    contentSha256: await sha256(row.content),
    updateTime: timeAfter(stored.updateTime, now),
    revision: stored.revision + 1,
  };
}

/** What search keeps of an entry: path, description and content are searched together. */
export function searchRecordOf(row: FullEntryRow): Uint8Array {
  const { counts, length } = analyseDocument([row.path, row.description ?? '', row.content]);
  return encodeSearchRecord({
    path: row.path,
    sessionId: row.sessionId,
    expiresAt: row.expireTime === null ? Number.POSITIVE_INFINITY : Date.parse(row.expireTime),
    revision: row.revision,
    length,
    terms: packTerms(counts),
  });
}

/** What a row shows of itself to callers; the content only if the row has it. */
export function toMemoryEntry(row: EntryRow): MemoryEntry {
  const { content, description, expireTime, sessionId } = row;
  return {
    id: row.id,
    actorId: row.actorId,
    ...(sessionId === null ? {} : { sessionId }),
    path: row.path,
    ...(content === undefined ? {} : { content }),
    ...(description === null ? {} : { description }),
    metadata: { ...row.metadata },
    source: row.source,
    createTime: row.createTime,
    updateTime: row.updateTime,
    ...(expireTime === null ? {} : { expireTime }),
    contentSha256: row.contentSha256,
    revision: row.revision,
  };
}
