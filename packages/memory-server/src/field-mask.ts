import { invalidParameter } from '@minne/core/memory';
import type { QueryParameters } from './query-parameters.js';

/**
 * The members that an update changes, from `update_mask`.
 * @throws MemoryError when it is missing, empty, or names what cannot be changed.
 */
export function updateMask<Field extends string>(
  query: QueryParameters,
  changeable: readonly Field[],
): ReadonlySet<Field> {
  const mask = query.get('update_mask');
  const known = `must name one or more of ${changeable.join(', ')}, parted by commas`;
  if (mask === undefined || mask === '') throw invalidParameter('update_mask', `${known}.`);
  return new Set(
    mask.split(',').map((name) => {
      const field = changeable.find((candidate) => candidate === name.trim());
      if (field !== undefined) return field;
      throw invalidParameter('update_mask', `${known}; ${JSON.stringify(name)} is none of them.`);
    }),
  );
}

/** The members that may stand in the `read_mask` of entries. */
const entryFields = [
  'name',
  'actor_id',
  'session_id',
  'path',
  'content',
  'description',
  'source_type',
  'create_time',
  'update_time',
  'content_sha256',
  'metadata',
  'expire_time',
  'revision',
] as const;

/** Which members of an entry an answer holds; `undefined` is all of them. */
export type ReadMask = ReadonlySet<(typeof entryFields)[number]> | undefined;

/**
 * The members asked for. `name` is always among them; absent, empty and `*` mean all.
 * @throws MemoryError when it names a member that entries do not have.
 */
export function readMask(mask: string | undefined): ReadMask {
  if (mask === undefined || mask === '' || mask === '*') return undefined;
  const fields = mask.split(',').map((name) => {
    const field = entryFields.find((candidate) => candidate === name.trim());
    if (field !== undefined) return field;
    throw invalidParameter(
      'read_mask',
      `must name members of an entry; ${JSON.stringify(name)} is none.`,
    );
  });
  return new Set(['name', ...fields]);
}

/** How much of an entry must be read for an answer: a mask says it more exactly than a view. */
export function viewFor(
  mask: ReadMask,
  view: 'BASIC' | 'FULL' | undefined,
): { readonly view?: 'BASIC' | 'FULL' } {
  if (mask !== undefined) return { view: mask.has('content') ? 'FULL' : 'BASIC' };
  return view === undefined ? {} : { view };
}
