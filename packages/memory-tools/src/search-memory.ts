import { checkQuery } from '@minne/core/memory';
import type { MemoryAction } from './memory-action.js';
import { quoteMemories } from './quote-memories.js';

const resultLimit = 10;

/** Finds what is remembered about something. */
export const searchMemory: MemoryAction<{ readonly query: string }> = {
  name: 'search_memory',
  description:
    'Searches what was remembered in earlier conversations, by words and by meaning. Use it before you answer something that may depend on what you were told before. Gives up to 10 memories as "path: content", the best match first.',
  parameters: {
    type: 'object',
    properties: {
      query: { type: 'string', description: 'What you want to know, in plain words.' },
    },
    required: ['query'],
    additionalProperties: false,
  },
  run: async (input, { store, actorId, signal }) => {
    const query = checkQuery(input.query);
    const hits = await store.search({ actorId, query, limit: resultLimit }, { signal });
    if (hits.length === 0) return 'Nothing is remembered about that.';
    const { text, shown } = quoteMemories(
      hits.map(({ memory }) => ({ path: memory.path, text: memory.content ?? '' })),
    );
    return shown < hits.length
      ? `${text}\n${hits.length - shown} more would be too long to show. Search for something narrower.`
      : text;
  },
};
