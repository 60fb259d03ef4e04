import { generateText, isStepCount, stepCountIs, streamText, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { answer, question, toolInput, toolNames, words } from './scenario.mjs';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function modelOf(tools) {
  const calls = toolNames.slice(0, tools).map((toolName, index) => ({
    type: 'tool-call',
    toolCallId: `call_${index}`,
    toolName,
    input: JSON.stringify(toolInput),
  }));
  const asks = (prompt) => tools > 0 && prompt.at(-1).role === 'user';
  const finishReason = (unified) => ({ unified, raw: unified });
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) =>
      asks(prompt)
        ? { content: calls, finishReason: finishReason('tool-calls'), usage, warnings: [] }
        : {
            content: [{ type: 'text', text: answer }],
            finishReason: finishReason('stop'),
            usage,
            warnings: [],
          },
    doStream: async ({ prompt }) => ({
      stream: convertArrayToReadableStream([
        { type: 'stream-start', warnings: [] },
        ...(asks(prompt)
          ? [...calls, { type: 'finish', finishReason: finishReason('tool-calls'), usage }]
          : [
              { type: 'text-start', id: '1' },
              ...words.map((delta) => ({ type: 'text-delta', id: '1', delta })),
              { type: 'text-end', id: '1' },
              { type: 'finish', finishReason: finishReason('stop'), usage },
            ]),
      ]),
    }),
  });
}

/** The AI SDK, with the messages kept in an array, which is what its users do: it stores nothing. */
export const aiSdk = {
  name: 'AI SDK',
  async prepare({ turns, tools, streamed }) {
    const messages = [];
    for (let turn = 1; turn < turns; turn += 1) {
      messages.push({ role: 'user', content: question }, { role: 'assistant', content: answer });
    }
    const model = modelOf(tools);
    const settings = {
      model,
      stopWhen: (isStepCount ?? stepCountIs)(5),
      tools: Object.fromEntries(
        toolNames.slice(0, tools).map((name) => [
          name,
          tool({
            description: `The ${name}.`,
            inputSchema: z.object({ city: z.string() }),
            execute: async ({ city }) => `sunny in ${city}`,
          }),
        ]),
      ),
    };
    return async () => {
      // The mock keeps every call it was given; that is not the SDK's to pay for.
      model.doGenerateCalls.length = 0;
      model.doStreamCalls.length = 0;
      messages.push({ role: 'user', content: question });
      if (!streamed) {
        const result = await generateText({ ...settings, messages });
        messages.push(...(result.responseMessages ?? result.response.messages));
        return result.text;
      }
      const result = streamText({ ...settings, messages });
      let text = '';
      for await (const delta of result.textStream) text += delta;
      messages.push(...((await result.responseMessages) ?? (await result.response).messages));
      return text;
    };
  },
};
