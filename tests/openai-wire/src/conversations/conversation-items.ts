import type { UncheckedObject } from '../checks.js';
import type { ServiceMemory } from '../service-memory.js';

const prefixes: Readonly<Record<string, string>> = {
  message: 'msg',
  function_call: 'fc',
  function_call_output: 'fco',
  reasoning: 'rs',
};

/** An item as a conversation keeps it: with an id, a type, and a content that is a list. */
export function conversationItem(item: UncheckedObject, memory: ServiceMemory): UncheckedObject {
  const { type = 'message', content, role } = item;
  const part = role === 'assistant' ? 'output_text' : 'input_text';
  return {
    ...item,
    type,
    id: item['id'] ?? memory.nextId(prefixes[String(type)] ?? 'item'),
    ...(typeof content === 'string' ? { content: [{ type: part, text: content }] } : {}),
  };
}

/** `ConversationItemList`: a page of `limit` items (default 20) after the one with the id `after`. */
export function listItems(
  items: readonly UncheckedObject[],
  query: URLSearchParams,
): UncheckedObject {
  const after = query.get('after');
  const start = after === null ? 0 : items.findIndex(({ id }) => id === after) + 1;
  const page = items.slice(start, start + Number(query.get('limit') ?? 20));
  return {
    object: 'list',
    data: page.map((item) => ({ status: 'completed', ...item })),
    first_id: page[0]?.['id'] ?? null,
    last_id: page.at(-1)?.['id'] ?? null,
    has_more: start + page.length < items.length,
  };
}
