import { expectLawful } from '@minne/conformance/reducer';
import type { ChatMessage, ChatReducer } from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  any,
  countMessages,
  estimatedTokenCounter,
  MessageCountingReducer,
  messagesOver,
  not,
  ReducerPipeline,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
  toolCallsOver,
  turnsOver,
} from '../src/index.js';
import { isOpener, isQuestion, isResultsOnly, isSystem } from '../src/message-kinds.js';
import { histories } from './generated-histories.js';
import { Summariser } from './summariser.js';

const targets = fc.integer({ min: 2, max: 12 });
const thresholds = fc.integer({ min: 0, max: 8 });

/** Every reducer, by how it is made of a target and a threshold. */
const reducers: Readonly<Record<string, (target: number, threshold: number) => ChatReducer>> = {
  MessageCountingReducer: (targetCount, threshold) =>
    new MessageCountingReducer({ targetCount, threshold }),
  SlidingWindowReducer: (targetCount, threshold) =>
    new SlidingWindowReducer({ targetCount, threshold }),
  TokenBudgetReducer: (target, threshold) =>
    new TokenBudgetReducer({ targetTokens: target * 20, threshold: threshold * 20 }),
  ToolResultClearingReducer: (targetCount, threshold) =>
    new ToolResultClearingReducer({ targetCount, threshold, marker: '' }),
  SummarizingReducer: (targetCount, threshold) =>
    new SummarizingReducer({
      chatClient: new Summariser(),
      targetCount,
      threshold,
      maxInputTokens: 2500,
    }),
  'SummarizingReducer whose calls often fail': (targetCount, threshold) =>
    new SummarizingReducer({
      chatClient: new Summariser({ failAt: (call) => call % 3 === 2 }),
      targetCount,
      threshold,
      maxInputTokens: 2500,
    }),
  ReducerPipeline: (targetCount, threshold) =>
    new ReducerPipeline({
      steps: [
        {
          reducer: new ToolResultClearingReducer({ targetCount, marker: '' }),
          when: any(toolCallsOver(4), not(messagesOver(8))),
        },
        { reducer: new SlidingWindowReducer({ targetCount, threshold }), when: turnsOver(3) },
        new MessageCountingReducer({ targetCount: targetCount * 2, threshold }),
        new TokenBudgetReducer({ targetTokens: 400 }),
      ],
    }),
};

describe.each(Object.entries(reducers))('%s on any history', (name, make) => {
  const runs = fc.asyncProperty(
    histories,
    targets,
    thresholds,
    async (history, target, threshold) => {
      const before = structuredClone(history);
      const reducer = make(target, threshold);
      const result = await reducer.reduce(history);
      expect(history).toEqual(before);
      expectLawful(history, result);
      // A pipeline begins as well as the history that its last step was given.
      if (name !== 'ReducerPipeline') expectOpening(history, result.messages);
      expectQuestion(history, result.messages);
      if (result.warnings.some(({ code }) => code === 'summary_failed')) return;
      const again = await reducer.reduce(result.messages);
      expect(again.messages).toBe(result.messages);
    },
  );

  it('keeps the laws, the newest question, and a beginning that every service accepts', async () => {
    await fc.assert(runs, { numRuns: 200 });
  }, 60_000);

  it('has something to do in most of them', async () => {
    const samples = fc.sample(histories, { numRuns: 100, seed: 1 });
    const reducer = make(3, 1);
    const results = await Promise.all(samples.map((history) => reducer.reduce(history)));
    const reduced = results.filter(({ removed }) => removed.length > 0);
    expect(reduced.length, name).toBeGreaterThan(30);
  });
});

describe('what is left', () => {
  it('has at most targetCount messages, but for what has to stay', async () => {
    await fc.assert(
      fc.asyncProperty(histories, targets, thresholds, async (history, targetCount, threshold) => {
        const reducer = new MessageCountingReducer({ targetCount, threshold });
        const { messages, removed, warnings } = await reducer.reduce(history);
        const count = messages.filter((message) => !isSystem(message)).length;
        const before = history.filter((message) => !isSystem(message)).length;
        const least = await new MessageCountingReducer({ targetCount: 1 }).reduce(history);
        const valid = least.messages.filter((message) => !isSystem(message)).length;
        expect(warnings.length > 0).toBe(count > targetCount + threshold);
        if (before > targetCount + threshold) {
          expect(count).toBeLessThanOrEqual(Math.max(targetCount, valid));
        } else {
          expect(removed.filter((message) => !isResultsOnly(message))).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  }, 60_000);

  it('costs at most targetTokens, or says that it cannot', async () => {
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.integer({ min: 1, max: 500 }),
        async (history, targetTokens) => {
          const reducer = new TokenBudgetReducer({ targetTokens });
          const { messages, warnings } = await reducer.reduce(history, { fixedTokens: 50 });
          const tokens = 50 + countMessages(messages, estimatedTokenCounter);
          expect(tokens > targetTokens).toBe(warnings.some(({ code }) => code === 'budget_unmet'));
        },
      ),
      { numRuns: 200 },
    );
  }, 60_000);
});

/** A message of the user comes first wherever there is one before the first that is kept in any case. */
function expectOpening(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  if (after === before) return;
  const first = after.find((message) => !isSystem(message));
  if (first === undefined || isOpener(first) || before.find((it) => !isSystem(it)) === first)
    return;
  const opener = before.slice(0, before.indexOf(first)).find(isOpener);
  expect(opener?.id, `nothing opens before ${first.id}`).toBeUndefined();
}

function expectQuestion(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const question = before.findLast(isQuestion);
  if (question === undefined) return;
  expect(
    after.some(({ id }) => id === question.id),
    'the newest question stays',
  ).toBe(true);
}
