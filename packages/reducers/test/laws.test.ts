import { expectLawful } from '@minne/conformance/reducer';
import {
  type ChatMessage,
  type ChatReducer,
  type Content,
  countMessages,
  isSystem,
  type ToolCallContent,
} from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  all,
  any,
  estimatedTokenCounter,
  MessageCountingReducer,
  messagesOver,
  not,
  ReducerPipeline,
  type ReductionTrigger,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
  tokensOver,
  toolCallsOver,
  turnsOver,
} from '../src/index.js';
import { isOpener, isQuestion, isResultsOnly } from '../src/message-kinds.js';
import { histories } from './generated-histories.js';
import { pairsOf } from './pairs.js';
import { Summariser, type SummariserOptions } from './summariser.js';

const summarizing = (
  targetCount: number,
  threshold: number,
  options: SummariserOptions = {},
): ChatReducer =>
  new SummarizingReducer({
    chatClient: new Summariser(options),
    targetCount,
    threshold,
    maxInputTokens: 2500,
  });

/** Every reducer, by how it is made of a target and a threshold. */
const makers = {
  MessageCountingReducer: (targetCount, threshold) =>
    new MessageCountingReducer({ targetCount, threshold }),
  SlidingWindowReducer: (targetCount, threshold) =>
    new SlidingWindowReducer({ targetCount, threshold }),
  TokenBudgetReducer: (target, threshold) =>
    new TokenBudgetReducer({ targetTokens: target * 20, threshold: threshold * 20 }),
  ToolResultClearingReducer: (targetCount, threshold) =>
    new ToolResultClearingReducer({ targetCount, threshold, marker: '' }),
  SummarizingReducer: (targetCount, threshold) => summarizing(targetCount, threshold),
  'SummarizingReducer whose calls often fail': (targetCount, threshold) =>
    summarizing(targetCount, threshold, { failAt: (call) => call % 3 === 2 }),
  'SummarizingReducer that is wordy': (targetCount, threshold) =>
    summarizing(targetCount, threshold, { text: 'They spoke of this and that. '.repeat(5) }),
} as const satisfies Readonly<Record<string, (target: number, threshold: number) => ChatReducer>>;

const numbers = fc.record({
  target: fc.integer({ min: 2, max: 12 }),
  threshold: fc.integer({ min: 0, max: 8 }),
});

const reducers = Object.fromEntries(
  Object.entries(makers).map(([name, make]) => [
    name,
    numbers.map(({ target, threshold }) => make(target, threshold)),
  ]),
);

const anyReducer = fc.oneof(...Object.values(reducers));

const trigger: fc.Arbitrary<ReductionTrigger> = fc.letrec<{ trigger: ReductionTrigger }>((tie) => ({
  trigger: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.nat(30).map(messagesOver),
    fc.nat(8).map(turnsOver),
    fc.nat(600).map((count) => tokensOver(count)),
    fc.nat(8).map(toolCallsOver),
    fc.tuple(tie('trigger'), tie('trigger')).map((both) => all(...both)),
    fc.tuple(tie('trigger'), tie('trigger')).map((both) => any(...both)),
    tie('trigger').map(not),
  ),
})).trigger;

const step = fc.oneof(anyReducer, fc.record({ reducer: anyReducer, when: trigger }));
const pipelines = fc
  .array(step, { minLength: 1, maxLength: 4 })
  .map((steps) => new ReducerPipeline({ steps }));

describe.each([...Object.entries(reducers), ['ReducerPipeline', pipelines] as const])(
  '%s on any history',
  (name, reducer) => {
    it('keeps the laws', async () => {
      await fc.assert(
        fc.asyncProperty(histories, reducer, async (history, it) => {
          const before = structuredClone(history);
          const result = await it.reduce(history);
          expect(history).toEqual(before);
          expectLawful(history, result);
          expectSamePairs(history, result.messages);
          expectOpenings(history, result.messages);
          expectQuestion(history, result.messages);
          if (result.warnings.some(({ code }) => code === 'summary_failed')) return;
          const again = await it.reduce(result.messages);
          expect(again.messages).toBe(result.messages);
        }),
        { numRuns: 300 },
      );
    }, 60_000);

    it('has something to do in many of them', async () => {
      const samples = fc.sample(fc.tuple(histories, reducer), { numRuns: 150, seed: 1 });
      const results = await Promise.all(samples.map(([history, it]) => it.reduce(history)));
      const reduced = results.filter(({ removed }) => removed.length > 0);
      expect(reduced.length, name).toBeGreaterThan(30);
    });
  },
);

describe('what is left', () => {
  it('has at most targetCount messages, but for what has to stay', async () => {
    await fc.assert(
      fc.asyncProperty(histories, numbers, async (history, { target, threshold }) => {
        const reducer = new MessageCountingReducer({ targetCount: target, threshold });
        const { messages, removed, warnings } = await reducer.reduce(history);
        const count = messages.filter((message) => !isSystem(message)).length;
        const before = history.filter((message) => !isSystem(message)).length;
        const least = await new MessageCountingReducer({ targetCount: 1 }).reduce(history);
        const valid = least.messages.filter((message) => !isSystem(message)).length;
        expect(warnings.length > 0).toBe(count > target + threshold);
        if (before > target + threshold) {
          expect(count).toBeLessThanOrEqual(Math.max(target, valid));
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

/** Every result that is left still answers the same call, and no call has lost its result. */
function expectSamePairs(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const answers = (messages: readonly ChatMessage[]): ReadonlyMap<ToolCallContent, number> =>
    new Map(
      pairsOf(messages.filter((message) => !isSystem(message))).pairs.map(({ call, result }) => [
        call,
        // By their place among all results: a cleared result is another object.
        resultKeys.indexOf(`${result.callId} ${keyOf(messages, result)}`),
      ]),
    );
  const resultKeys = before.flatMap(({ id, contents }) =>
    contents.flatMap((content, place) =>
      content.type === 'tool_result' ? [`${content.callId} ${id} ${place}`] : [],
    ),
  );
  const expected = answers(before);
  const left = new Set(after.flatMap(({ contents }) => contents));
  const found = answers(after);
  for (const [call, result] of expected) if (left.has(call)) expect(found.get(call)).toBe(result);
  for (const call of found.keys())
    expect(expected.has(call), 'no call gets a new result').toBe(true);
}

function keyOf(messages: readonly ChatMessage[], result: Content): string {
  for (const { id, contents } of messages) {
    const place = contents.indexOf(result);
    if (place >= 0) return `${id} ${place}`;
  }
  return 'nowhere';
}

/**
 * Whatever stood behind a message of the user still does, wherever that message was: nothing begins in the
 * middle of a turn but what began so before. It holds of a pipeline because it holds of each step.
 */
function expectOpenings(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const first = before.findIndex(isOpener);
  const unopened = new Set((first < 0 ? before : before.slice(0, first)).map(({ id }) => id));
  for (const message of after) {
    if (isOpener(message)) return;
    if (!isSystem(message))
      expect(unopened, `${message.id} has lost its opening`).toContain(message.id);
  }
}

function expectQuestion(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const question = before.findLast(isQuestion);
  if (question !== undefined) expect(after, 'the newest question stays').toContain(question);
}
