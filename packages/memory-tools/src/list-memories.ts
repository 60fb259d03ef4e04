import type { MemoryAction } from './memory-action.js';
import { type QuotedMemory, quoteMemories } from './quote-memories.js';

/** How many memories are named, and how many of the others are counted. */
const shownLimit = 100;
const countedLimit = 1_000;

/** Names everything that is remembered. */
export const listMemories: MemoryAction<unknown> = {
  name: 'list_memories',
  description:
    'Lists what is remembered, as "path: description" in the order of the paths, up to 100. Use it to see where something is kept before you replace or forget it; use search_memory to read contents.',
  parameters: { type: 'object', properties: {}, additionalProperties: false },
  run: async (_input, { store, actorId, signal }) => {
    const memories: QuotedMemory[] = [];
    let found = 0;
    for await (const entry of store.list({ actorId }, { view: 'BASIC', signal })) {
      found += 1;
      if (found > countedLimit) break;
      if (found <= shownLimit) memories.push({ path: entry.path, text: entry.description });
    }
    if (found === 0) return 'Nothing is remembered yet.';
    const { text, shown } = quoteMemories(memories);
    const left = found - shown;
    if (left === 0) return text;
    const count = found > countedLimit ? `more than ${left - 1}` : String(left);
    return `${text}\nAnd ${count} more. Find them with search_memory.`;
  },
};
