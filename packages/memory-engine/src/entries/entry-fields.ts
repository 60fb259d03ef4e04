import {
  checkContent,
  checkDescription,
  checkIdentifier,
  checkMetadata,
  checkPath,
  invalidParameter,
  type MemoryChanges,
  type MemoryPrecondition,
  type MemorySource,
  type NewMemoryEntry,
} from '@minne/core/memory';
import { parseTime } from '../time.js';

/** What names an entry within its store, beside its id. */
export interface EntryKey {
  readonly actorId: string;
  readonly sessionId: string | null;
  readonly path: string;
}

/** What of an entry can change. */
export interface EntryFields {
  readonly content: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly source: MemorySource;
  readonly expireTime: string | null;
}

/** The fields of an entry that was given none. */
export const emptyFields: EntryFields = {
  content: '',
  description: null,
  metadata: {},
  source: 'AGENT',
  expireTime: null,
};

/** @throws MemoryError `INVALID_PARAMETER_VALUE`. */
export function checkEntryKey(entry: NewMemoryEntry): EntryKey {
  return {
    actorId: checkIdentifier(entry.actorId, 'actor_id'),
    sessionId:
      entry.sessionId === undefined ? null : checkIdentifier(entry.sessionId, 'session_id'),
    path: checkPath(entry.path),
  };
}

/**
 * The fields that were given.
 * @throws MemoryError `INVALID_PARAMETER_VALUE`.
 */
export function checkEntryFields(entry: NewMemoryEntry): Partial<EntryFields> {
  const { content, description, metadata, source, expireTime } = entry;
  return {
    ...(content === undefined ? {} : { content: checkContent(content) }),
    ...(description === undefined ? {} : { description: checkDescription(description) }),
    ...(metadata === undefined ? {} : { metadata: checkMetadata(metadata) }),
    ...(source === undefined ? {} : { source: checkSource(source) }),
    ...(expireTime === undefined ? {} : { expireTime: parseTime(expireTime, 'expire_time') }),
  };
}

/**
 * The fields that are to change: those that `changes` has as its own, cleared where they are `undefined`.
 * @throws MemoryError `INVALID_PARAMETER_VALUE`.
 */
export function checkEntryChanges(changes: MemoryChanges): Partial<EntryFields> {
  const names = Object.keys(changes);
  const other = names.find((name) => name !== 'content' && name !== 'description');
  if (other !== undefined || names.length === 0) {
    throw invalidParameter(
      other ?? 'update_mask',
      'cannot be updated. Name content, description or both.',
    );
  }
  const { content, description } = changes;
  return {
    ...('content' in changes
      ? { content: content === undefined ? '' : checkContent(content) }
      : {}),
    ...('description' in changes
      ? { description: description === undefined ? null : checkDescription(description) }
      : {}),
  };
}

/** Whether `stored` has all of `fields`. */
export function hasFields(stored: EntryFields, fields: Partial<EntryFields>): boolean {
  const { content, description, metadata, source, expireTime } = fields;
  return (
    (content === undefined || content === stored.content) &&
    (description === undefined || description === stored.description) &&
    (metadata === undefined || isSameMap(metadata, stored.metadata)) &&
    (source === undefined || source === stored.source) &&
    (expireTime === undefined || expireTime === stored.expireTime)
  );
}

/**
 * The precondition that was given, with its hash in lower case.
 * @throws MemoryError `INVALID_PARAMETER_VALUE`.
 */
export function checkPrecondition(
  precondition: MemoryPrecondition | undefined,
): MemoryPrecondition | undefined {
  if (precondition === undefined) return undefined;
  const hash: unknown = precondition.contentSha256;
  if (hash === null) return { contentSha256: null };
  if (typeof hash === 'string' && /^[0-9a-f]{64}$/i.test(hash)) {
    return { contentSha256: hash.toLowerCase() };
  }
  throw invalidParameter(
    'precondition.content_sha256',
    'must be a SHA-256 in hex (64 characters), or null for an entry that must not exist.',
  );
}

/** Whether the stored entry, or its absence, is what the precondition says. */
export function holds(
  precondition: MemoryPrecondition | undefined,
  stored: { readonly contentSha256: string } | undefined,
): boolean {
  return (
    precondition === undefined || precondition.contentSha256 === (stored?.contentSha256 ?? null)
  );
}

function checkSource(value: unknown): MemorySource {
  if (value === 'AGENT' || value === 'DREAMER') return value;
  throw invalidParameter('source_type', 'must be AGENT or DREAMER.');
}

function isSameMap(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length && names.every((name) => left[name] === right[name])
  );
}
