import { Agent, defineTool } from '@minne/core';
import { z } from 'zod';
import { answer, question, toolInput, toolNames, words } from './scenario.mjs';

/** Answers at once: with tool calls when there are tools and the last message is the user's. */
function modelOf(tools) {
  const calls = toolNames.slice(0, tools).map((name, index) => ({
    type: 'tool_call',
    callId: `call_${index}`,
    name,
    arguments: JSON.stringify(toolInput),
  }));
  const asks = (messages) => tools > 0 && messages.at(-1).role === 'user';
  return {
    specificationVersion: 'v1',
    historyStorage: 'none',
    getResponse: async (messages) =>
      asks(messages)
        ? { messages: [{ role: 'assistant', contents: calls }], finishReason: 'tool_calls' }
        : { messages: [{ role: 'assistant', contents: answer }], finishReason: 'stop' },
    async *getStreamingResponse(messages) {
      if (asks(messages)) {
        for (const [index, { callId, name, arguments: text }] of calls.entries()) {
          yield {
            contents: [{ type: 'tool_call_delta', index, callId, name, arguments: text }],
          };
        }
        yield { contents: [], finishReason: 'tool_calls' };
        return;
      }
      for (const text of words) yield { contents: [{ type: 'text', text }] };
      yield { contents: [], finishReason: 'stop' };
    },
  };
}

/** Minne's agent, with the history in the session. */
export const minne = {
  name: 'Minne',
  async prepare({ turns, tools, streamed }) {
    const quick = new Agent({ chatClient: modelOf(0) });
    const session = quick.createSession();
    for (let turn = 1; turn < turns; turn += 1) await quick.run(question, { session });
    const agent = new Agent({
      chatClient: modelOf(tools),
      tools: toolNames.slice(0, tools).map((name) =>
        defineTool({
          name,
          description: `The ${name}.`,
          parameters: z.object({ city: z.string() }),
          execute: ({ city }) => `sunny in ${city}`,
        }),
      ),
    });
    return async () => {
      if (!streamed) return (await agent.run(question, { session })).text;
      let text = '';
      for await (const event of agent.runStream(question, { session })) {
        if (event.type === 'text-delta') text += event.delta;
      }
      return text;
    };
  },
};
