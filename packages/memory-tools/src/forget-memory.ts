import { checkPath, MemoryError } from '@minne/core/memory';
import type { MemoryAction } from './memory-action.js';

/** Forgets what is remembered at a path, in every session. */
export const forgetMemory: MemoryAction<{ readonly path: string }> = {
  name: 'forget_memory',
  description:
    'Forgets what is remembered at exactly this path, for good. Use it when you are asked to forget something, or when it is no longer true.',
  parameters: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'The path as list_memories and search_memory show it.' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  run: async (input, { store, actorId, signal }) => {
    const path = checkPath(input.path);
    // All are known before the first goes: a listing need not stand still while its entries are deleted.
    const ids: string[] = [];
    for await (const entry of store.list({ actorId, path }, { view: 'BASIC', signal })) {
      ids.push(entry.id);
    }
    let forgotten = 0;
    for (const id of ids) {
      try {
        await store.delete(id, { signal });
        forgotten += 1;
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    }
    return forgotten === 0 ? `Nothing is remembered at ${path}.` : `Forgot ${path}.`;
  },
};

/** Somebody else was quicker. */
function isGone(error: unknown): boolean {
  return MemoryError.isInstance(error) && error.errorCode === 'NOT_FOUND';
}
