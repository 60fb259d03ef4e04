import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

/** A message of ours as LangChain has it. */
export function langchainMessage({ id, role, contents: [content] }) {
  if (role === 'user') return new HumanMessage({ id, content: content.text });
  if (content.type === 'text') return new AIMessage({ id, content: content.text });
  if (content.type === 'tool_result') {
    return new ToolMessage({ id, content: content.result, tool_call_id: content.callId });
  }
  const { callId, name } = content;
  const args = JSON.parse(content.arguments);
  return new AIMessage({ id, content: '', tool_calls: [{ id: callId, name, args }] });
}

/**
 * A checkpointer of LangGraph, with the least that keeps a turn: one checkpoint with all messages, which
 * the process has at hand. A graph writes several a turn.
 */
export function langgraph(name, saver, close) {
  const threads = new Map();
  return {
    name,
    append: async (session, messages) => {
      const thread = threads.get(session) ?? { messages: [], version: 0 };
      thread.messages = [...thread.messages, ...messages.map(langchainMessage)];
      thread.version += 1;
      threads.set(session, thread);
      const versions = { messages: thread.version };
      await saver.put(
        { configurable: { thread_id: session, checkpoint_ns: '' } },
        {
          v: 4,
          // Checkpoints are ordered by id.
          id: `1f000000-0000-6000-8000-${String(thread.version).padStart(12, '0')}`,
          ts: new Date().toISOString(),
          channel_values: { messages: thread.messages },
          channel_versions: versions,
          versions_seen: {},
        },
        { source: 'loop', step: thread.version, parents: {} },
        versions,
      );
    },
    load: async (session) => {
      const tuple = await saver.getTuple({ configurable: { thread_id: session } });
      return tuple.checkpoint.channel_values.messages;
    },
    textIn: ({ content }) => content,
    mostOthers: 1_000,
    fillAtOnce: 16,
    close,
  };
}
