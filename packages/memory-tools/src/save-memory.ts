import { checkContent, checkDescription, checkPath } from '@minne/core/memory';
import type { MemoryAction } from './memory-action.js';

/** Remembers something, in place of what was at the same path. */
export const saveMemory: MemoryAction<{
  readonly path: string;
  readonly content: string;
  readonly description?: string;
}> = {
  name: 'save_memory',
  description:
    'Remembers something beyond this conversation: a fact, a preference, a decision. What was at the same path is replaced, so give one subject one path, and save the whole text when something changes. Never save passwords or other secrets.',
  parameters: {
    type: 'object',
    properties: {
      path: {
        type: 'string',
        description:
          'Where to keep it, as an absolute path by subject, such as /preferences/seat or /projects/garden/plan.',
      },
      content: { type: 'string', description: 'What to remember, understandable on its own.' },
      description: { type: 'string', description: 'One line that says what it is about.' },
    },
    required: ['path', 'content'],
    additionalProperties: false,
  },
  run: async (input, { store, actorId, signal }) => {
    const { description } = input;
    const saved = await store.put(
      {
        actorId,
        path: checkPath(input.path),
        content: checkContent(input.content),
        ...(description === undefined ? {} : { description: checkDescription(description) }),
      },
      { signal },
    );
    return `Saved at ${saved.path}.`;
  },
};
