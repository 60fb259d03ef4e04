// The same messages in the types of three libraries, and what each of them sends to Chat Completions.
import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';

const textOf = (contents) => contents.map(({ text = '' }) => text).join('');
const callsOf = (contents) => contents.filter(({ type }) => type === 'tool_call');
const wireCall = (id, name, args) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const wireAssistant = (text, calls) => ({
  role: 'assistant',
  content: text === '' ? null : text,
  ...(calls.length === 0 ? {} : { tool_calls: calls }),
});

export const minne = {
  from: (messages) => messages,
  toWire: (messages) =>
    messages.map(({ role, contents }) => {
      if (role === 'tool') {
        return { role, tool_call_id: contents[0].callId, content: String(contents[0].result) };
      }
      if (role !== 'assistant') return { role, content: textOf(contents) };
      return wireAssistant(
        textOf(contents),
        callsOf(contents).map((call) => wireCall(call.callId, call.name, call.arguments)),
      );
    }),
};

/** Each with its id, which the library keeps. */
export const langChain = {
  from: (messages) =>
    messages.map(({ id, role, contents }) => {
      if (role === 'user') return new HumanMessage({ id, content: textOf(contents) });
      if (role === 'system') return new SystemMessage({ id, content: textOf(contents) });
      if (role === 'tool') {
        const [{ callId, result }] = contents;
        return new ToolMessage({ id, content: result, tool_call_id: callId });
      }
      const tool_calls = callsOf(contents).map((call) => ({
        id: call.callId,
        name: call.name,
        args: JSON.parse(call.arguments),
      }));
      return new AIMessage({ id, content: textOf(contents), tool_calls });
    }),
  // Where trimMessages drops everything and was told to keep the system message, it gives [undefined].
  toWire: (messages) =>
    messages.filter(Boolean).map((message) => {
      const type = message.getType();
      if (type === 'human') return { role: 'user', content: message.content };
      if (type === 'system') return { role: 'system', content: message.content };
      if (type === 'tool') {
        return { role: 'tool', tool_call_id: message.tool_call_id, content: message.content };
      }
      const calls = (message.tool_calls ?? []).map(({ id, name, args }) =>
        wireCall(id, name, JSON.stringify(args)),
      );
      return wireAssistant(message.content, calls);
    }),
};

/** The results of one answer are one message there, as its own agent loop writes them. */
export const aiSdk = {
  from: (messages) => {
    const made = [];
    for (const { role, contents } of messages) {
      if (role === 'tool') {
        const [{ callId, result }] = contents;
        const part = {
          type: 'tool-result',
          toolCallId: callId,
          toolName: 'look',
          output: { type: 'text', value: result },
        };
        const last = made.at(-1);
        if (last?.role === 'tool') last.content.push(part);
        else made.push({ role, content: [part] });
      } else if (role === 'assistant' && callsOf(contents).length > 0) {
        const content = callsOf(contents).map((call) => ({
          type: 'tool-call',
          toolCallId: call.callId,
          toolName: call.name,
          input: JSON.parse(call.arguments),
        }));
        made.push({ role, content });
      } else made.push({ role, content: textOf(contents) });
    }
    return made;
  },
  toWire: (messages) =>
    messages.flatMap(({ role, content }) => {
      if (role === 'tool') {
        return content.map(({ toolCallId, output }) => ({
          role,
          tool_call_id: toolCallId,
          content: output.value,
        }));
      }
      if (role !== 'assistant' || typeof content === 'string') return [{ role, content }];
      const calls = content.filter(({ type }) => type === 'tool-call');
      const text = content.map((part) => part.text ?? '').join('');
      return [
        wireAssistant(
          text,
          calls.map((call) => wireCall(call.toolCallId, call.toolName, JSON.stringify(call.input))),
        ),
      ];
    }),
};
