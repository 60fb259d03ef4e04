import type { MemorySource } from '@minne/core/memory';
import type { EntryRow } from '@minne/memory-engine';
import { integerOf, mapOf, type Row, textOf, textOrNullOf } from './row-values.js';

/** The columns of an entry that {@link toEntryRow} reads; `content` only where it is asked for. */
export function entryColumns(withContent: boolean): string {
  const columns =
    'id, actor_id, path, session, description, metadata, source, create_time, update_time, expire_time, content_sha256, entries.revision';
  return withContent ? `${columns}, content` : columns;
}

/** Entries with the name of their actor. */
export const entriesWithActor =
  'minne_memory_entries AS entries JOIN minne_memory_actors AS actors ON actors.key = entries.actor';

/** How a session is stored: none is a value of its own, which no session can have. */
export function sessionColumn(sessionId: string | null): string {
  return sessionId ?? '';
}

/** An entry as the engine knows it. */
export function toEntryRow(row: Row): EntryRow {
  const session = textOf(row, 'session');
  return {
    id: textOf(row, 'id'),
    actorId: textOf(row, 'actor_id'),
    sessionId: session === '' ? null : session,
    path: textOf(row, 'path'),
    ...('content' in row ? { content: textOf(row, 'content') } : {}),
    description: textOrNullOf(row, 'description'),
    metadata: mapOf(row, 'metadata'),
    source: sourceOf(row),
    createTime: textOf(row, 'create_time'),
    updateTime: textOf(row, 'update_time'),
    expireTime: textOrNullOf(row, 'expire_time'),
    contentSha256: textOf(row, 'content_sha256'),
    revision: integerOf(row, 'revision'),
  };
}

function sourceOf(row: Row): MemorySource {
  return textOf(row, 'source') === 'DREAMER' ? 'DREAMER' : 'AGENT';
}
