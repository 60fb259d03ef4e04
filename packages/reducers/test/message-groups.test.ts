import { Agent, type ChatClient, type ChatMessage } from '@minne/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupMessages } from '../src/index.js';
import { toolHistories } from './generated-histories.js';
import { pairsOf } from './pairs.js';

/** What the model is sent of messages. */
async function sentOf(messages: readonly ChatMessage[]): Promise<readonly ChatMessage[]> {
  let sent: readonly ChatMessage[] = [];
  const chatClient: ChatClient = {
    specificationVersion: 'v1',
    historyStorage: 'none',
    getResponse: async (view) => {
      sent = view;
      return { messages: [{ role: 'assistant', contents: 'Yes.' }], finishReason: 'stop' };
    },
    getStreamingResponse: () => {
      throw new Error('Nobody streams here.');
    },
  };
  await new Agent({ chatClient }).run([...messages, { role: 'user', contents: 'Well?' }]);
  return sent;
}

/** The result that follows each call, by the name of the call. Names and results are made up once each. */
function resultsIn(sent: readonly ChatMessage[]): ReadonlyMap<string, unknown> {
  const results = new Map<string, unknown>();
  let waiting: string[] = [];
  for (const { contents } of sent) {
    for (const content of contents) {
      if (content.type === 'tool_call') waiting.push(content.name);
      if (content.type !== 'tool_result') continue;
      const [name = 'nothing', ...others] = waiting;
      waiting = others;
      if (content.error === undefined) results.set(name, content.result);
    }
  }
  return results;
}

it('pairs calls and results as they are sent to a model, however often an id is used', async () => {
  await fc.assert(
    fc.asyncProperty(toolHistories, async (history) => {
      const sent = resultsIn(await sentOf(history));
      const { pairs } = pairsOf(history);
      expect(sent).toEqual(new Map(pairs.map(({ call, result }) => [call.name, result.result])));
      const { groupOf } = groupMessages(history);
      for (const { callAt, resultAt } of pairs) expect(groupOf[callAt]).toBe(groupOf[resultAt]);
    }),
    { numRuns: 100 },
  );
}, 60_000);

it('joins nothing but what belongs together', () => {
  fc.assert(
    fc.property(toolHistories, (history) => {
      const joined = new Map(history.map((_, position) => [position, position]));
      const groupFor = (position: number): number => {
        const next = joined.get(position) ?? position;
        return next === position ? position : groupFor(next);
      };
      for (const { callAt, resultAt } of pairsOf(history).pairs) {
        const ends = [groupFor(callAt), groupFor(resultAt)];
        joined.set(Math.max(...ends), Math.min(...ends));
      }
      const expected = history.map((_, position) => groupFor(position));
      expect([...groupMessages(history).groupOf]).toEqual(expected);
    }),
    { numRuns: 200 },
  );
});

it('does not call itself for each of many messages that belong together', () => {
  const call = (index: number): ChatMessage['contents'][number] => ({
    type: 'tool_call',
    callId: `c${index}`,
    name: 'look',
    arguments: '{}',
  });
  const history: ChatMessage[] = Array.from({ length: 50_000 }, (_, index) => ({
    id: `m${index}`,
    role: 'assistant',
    contents: [{ type: 'tool_result', callId: `c${index - 1}`, result: 1 }, call(index)],
    createdAt: '2026-05-01T10:00:00.000Z',
  }));
  const { groupOf, lastOf } = groupMessages(history);
  expect(new Set(groupOf)).toEqual(new Set([0]));
  expect(lastOf[0]).toBe(49_999);
});
