import { Agent, MemorySession, Runner, setTracingDisabled, tool, Usage } from '@openai/agents';
import { z } from 'zod';
import { answer, question, toolInput, toolNames, words } from './scenario.mjs';

setTracingDisabled(true);

const text = {
  id: 'message',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: answer }],
};

function modelOf(tools) {
  const calls = toolNames.slice(0, tools).map((name, index) => ({
    id: `item_${index}`,
    type: 'function_call',
    callId: `call_${index}`,
    name,
    status: 'completed',
    arguments: JSON.stringify(toolInput),
  }));
  const outputFor = ({ input }) => {
    const last = Array.isArray(input) ? input.at(-1) : undefined;
    return tools > 0 && last?.type !== 'function_call_result' ? calls : [text];
  };
  return {
    getResponse: async (request) => ({ usage: new Usage(), output: outputFor(request) }),
    async *getStreamedResponse(request) {
      const output = outputFor(request);
      yield { type: 'response_started' };
      if (output[0] === text) {
        for (const delta of words) yield { type: 'output_text_delta', delta };
      }
      yield {
        type: 'response_done',
        response: {
          id: 'response',
          usage: { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 },
          output,
        },
      };
    },
  };
}

/** OpenAI Agents JS with its in-memory session; its tracing is off. */
export const openaiAgents = {
  name: 'OpenAI Agents',
  async prepare({ turns, tools, streamed }) {
    const initialItems = [];
    for (let turn = 1; turn < turns; turn += 1) {
      initialItems.push({ type: 'message', role: 'user', content: question }, text);
    }
    const session = new MemorySession({ initialItems });
    const runner = new Runner({ tracingDisabled: true });
    const agent = new Agent({
      name: 'agent',
      model: modelOf(tools),
      tools: toolNames.slice(0, tools).map((name) =>
        tool({
          name,
          description: `The ${name}.`,
          parameters: z.object({ city: z.string() }),
          execute: async ({ city }) => `sunny in ${city}`,
        }),
      ),
    });
    return async () => {
      if (!streamed) return (await runner.run(agent, question, { session })).finalOutput;
      const result = await runner.run(agent, question, { session, stream: true });
      let said = '';
      for await (const delta of result.toTextStream()) said += delta;
      await result.completed;
      return said;
    };
  },
};
