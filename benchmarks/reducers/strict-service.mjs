// What Chat Completions refuses in `messages`, as its reference and its error texts have it
// (https://platform.openai.com/docs/api-reference/chat/create):
// - there is at least one message;
// - an assistant message with `tool_calls` is followed by tool messages that respond to each `tool_call_id`,
//   and only then by others;
// - a message of the role `tool` responds to a preceding message with `tool_calls`;
// - an assistant message has content or `tool_calls`.

/** Why the service refuses the messages, or `undefined` when it takes them. */
export function refusalOf(wire) {
  if (wire.length === 0) return 'nothing is left';
  let open = new Set();
  for (const { role, content, tool_calls: calls, tool_call_id: id } of wire) {
    if (role === 'tool') {
      if (!open.delete(id)) return 'a result without its call';
      continue;
    }
    if (open.size > 0) return 'a call without its result';
    if (role === 'assistant' && calls === undefined && (content ?? '') === '') {
      return 'an empty message';
    }
    open = new Set(calls?.map((call) => call.id));
  }
  return open.size > 0 ? 'a call without its result' : undefined;
}

/**
 * Whether no user has said anything when the assistant first speaks. Chat Completions takes that; other
 * services and the templates of many open models do not.
 */
export function beginsInTheMiddle(wire) {
  return wire.find(({ role }) => role !== 'system')?.role !== 'user';
}
