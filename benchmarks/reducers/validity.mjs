// How many results a strict service would refuse, and how many are larger than the bound, on the same
// conversations for all.
import { trimMessages } from '@langchain/core/messages';
import { countMessage } from '@minne/core';
import {
  estimatedTokenCounter,
  MessageCountingReducer,
  ReducerPipeline,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
} from '@minne/reducers';
import {
  instantSummariser,
  pruneBefore,
  recommended,
  reducing,
  trimByCount,
} from './contestants.mjs';
import { aiSdk, langChain, minne } from './dialects.mjs';
import { agentHistory } from './histories.mjs';
import { beginsInTheMiddle, refusalOf } from './strict-service.mjs';
import { printTable } from './table.mjs';

const conversations = 1_000;
const count = 40;
const tokens = 8_000;

/** What a text costs does not depend on the library that holds it. */
const wireTokens = (wire) =>
  wire.reduce((sum, message) => sum + countMessage(asOurs(message), estimatedTokenCounter), 0);
const asOurs = ({ content, tool_calls: calls = [], tool_call_id: callId }) => ({
  contents: [
    ...(callId === undefined
      ? [{ type: 'text', text: content ?? '' }]
      : [{ type: 'tool_result', callId, result: content }]),
    ...calls.map((call) => ({ type: 'tool_call', callId: call.id, ...call.function })),
  ],
});
const wireCount = (wire) => wire.filter(({ role }) => role !== 'system').length;

const byCount = { size: wireCount, bound: count };
const byTokens = { size: wireTokens, bound: tokens };
/** Reduces something else than the bound is about, so that there is none. */
const unbound = { size: wireCount, bound: Number.POSITIVE_INFINITY };

/** `trimMessages` is given the costs that we count, and need not count them itself. */
function trimByTokens(options) {
  return (messages) => {
    const costs = new Map(
      messages.map((message) => [message.id, wireTokens(langChain.toWire([message]))]),
    );
    const tokenCounter = (list) => list.reduce((sum, { id }) => sum + (costs.get(id) ?? 0), 0);
    return trimMessages(messages, {
      maxTokens: tokens,
      tokenCounter,
      strategy: 'last',
      ...options,
    });
  };
}

const clearing = new ToolResultClearingReducer({ targetCount: 10 });
const contestants = [
  ['MessageCountingReducer', minne, byCount, new MessageCountingReducer({ targetCount: count })],
  ['SlidingWindowReducer, 5 turns', minne, unbound, new SlidingWindowReducer({ targetCount: 5 })],
  ['ToolResultClearingReducer, 10 results', minne, unbound, clearing],
  [
    'SummarizingReducer',
    minne,
    byCount,
    new SummarizingReducer({ chatClient: instantSummariser, targetCount: count }),
  ],
  ['TokenBudgetReducer', minne, byTokens, new TokenBudgetReducer({ targetTokens: tokens })],
  [
    'ReducerPipeline, clearing, then budget',
    minne,
    byTokens,
    new ReducerPipeline({ steps: [clearing, new TokenBudgetReducer({ targetTokens: tokens })] }),
  ],
  ['LangChain trimMessages', langChain, byCount, trimByCount(count, {})],
  ['LangChain, startOn, includeSystem', langChain, byCount, trimByCount(count, recommended)],
  ['LangChain trimMessages, tokens', langChain, byTokens, trimByTokens({})],
  ['LangChain, startOn, includeSystem, tokens', langChain, byTokens, trimByTokens(recommended)],
  ['AI SDK pruneMessages', aiSdk, byCount, pruneBefore(count)],
  ['AI SDK pruneMessages, tokens', aiSdk, byTokens, pruneBefore(count)],
];

const hasQuestion = (wire) => wire.some(({ role }) => role === 'user');

export async function measureValidity() {
  const tallies = contestants.map(([name, dialect, measure, reducer]) => ({
    name,
    dialect,
    measure,
    run: typeof reducer === 'function' ? reducer : reducing(reducer),
    refused: 0,
    empty: 0,
    middle: 0,
    asked: 0,
    larger: 0,
  }));
  for (let seed = 1; seed <= conversations; seed += 1) {
    const source = agentHistory(seed);
    const wrong = refusalOf(minne.toWire(source));
    if (wrong !== undefined) throw new Error(`Conversation ${seed} is refused as it is: ${wrong}.`);
    for (const tally of tallies) {
      const left = await tally.run(tally.dialect.from(source));
      const wire = tally.dialect.toWire(left);
      const refusal = refusalOf(wire);
      if (refusal !== undefined) tally.refused += 1;
      if (wireCount(wire) === 0) tally.empty += 1;
      else if (beginsInTheMiddle(wire)) tally.middle += 1;
      if (!hasQuestion(wire)) tally.asked += 1;
      if (tally.measure.size(wire) > tally.measure.bound) tally.larger += 1;
    }
  }
  printTable(
    `Of ${conversations.toLocaleString('en')} conversations, reduced to ${count} messages or ${tokens.toLocaleString('en')} tokens`,
    ['', 'refused', 'nothing left', 'begins in the middle', 'no question left', 'over the bound'],
    tallies.map(({ name, refused, empty, middle, asked, larger, measure }) => [
      name,
      refused,
      empty,
      middle,
      asked,
      measure === unbound ? 'no bound' : larger,
    ]),
  );
}
