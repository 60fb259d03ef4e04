// What reducing a long history costs, how much of what is sent stays the same from turn to turn, and how
// many tool calls and results are left that a strict service refuses.
import { AIMessage, HumanMessage, ToolMessage, trimMessages } from '@langchain/core/messages';
import {
  countMessages,
  estimatedTokenCounter,
  MessageCountingReducer,
  SlidingWindowReducer,
  SummarizingReducer,
  TokenBudgetReducer,
  ToolResultClearingReducer,
} from '@minne/reducers';
import { pruneMessages } from 'ai';

const createdAt = '2026-01-01T00:00:00.000Z';
const message = (id, role, ...contents) => ({ id: `m${id}`, role, contents, createdAt });
const text = (value) => ({ type: 'text', text: value });

/** Turns of four messages: question, call, result, answer. */
function history(length) {
  return Array.from({ length }, (_, index) => {
    const callId = `c${index >> 2}`;
    if (index % 4 === 0) return message(index, 'user', text(`Question ${index}: what is it like?`));
    if (index % 4 === 1) {
      return message(index, 'assistant', {
        type: 'tool_call',
        callId,
        name: 'look',
        arguments: '{"at":"sky"}',
      });
    }
    if (index % 4 === 2) {
      return message(index, 'tool', {
        type: 'tool_result',
        callId,
        result: 'Sunny, a light wind from the west. '.repeat(6),
      });
    }
    return message(index, 'assistant', text(`Answer ${index}: it is sunny today.`));
  });
}

const toLangChain = (messages) =>
  messages.map(({ role, contents: [content] }) => {
    if (role === 'user') return new HumanMessage(content.text);
    if (role === 'tool')
      return new ToolMessage({ content: content.result, tool_call_id: content.callId });
    if (content.type === 'text') return new AIMessage(content.text);
    return new AIMessage({
      content: '',
      tool_calls: [{ id: content.callId, name: content.name, args: { at: 'sky' } }],
    });
  });
const toAiSdk = (messages) =>
  messages.map(({ role, contents: [content] }) => {
    const named = { toolCallId: content.callId, toolName: 'look' };
    if (role === 'user') return { role, content: content.text };
    if (role === 'tool') {
      return {
        role,
        content: [
          { type: 'tool-result', ...named, output: { type: 'text', value: content.result } },
        ],
      };
    }
    if (content.type === 'text') return { role, content: content.text };
    return { role, content: [{ type: 'tool-call', ...named, input: { at: 'sky' } }] };
  });

/** Calls without a result, results without a call before them. */
function refused(steps) {
  const open = new Map();
  let lost = 0;
  for (const { call, result } of steps) {
    if (call !== undefined) open.set(call, (open.get(call) ?? 0) + 1);
    if (result === undefined) continue;
    if ((open.get(result) ?? 0) > 0) open.set(result, open.get(result) - 1);
    else lost += 1;
  }
  return lost + [...open.values()].reduce((a, b) => a + b, 0);
}
const stepsOf = {
  minne: (messages) =>
    messages
      .flatMap(({ contents }) => contents)
      .map(({ type, callId }) => ({
        [type === 'tool_call' ? 'call' : type === 'tool_result' ? 'result' : 'none']: callId,
      })),
  langchain: (messages) =>
    messages.flatMap((it) =>
      it.tool_call_id !== undefined
        ? [{ result: it.tool_call_id }]
        : (it.tool_calls ?? []).map(({ id }) => ({ call: id })),
    ),
  aiSdk: (messages) =>
    messages
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .map(({ type, toolCallId }) => ({ [type === 'tool-call' ? 'call' : 'result']: toolCallId })),
};

const summariser = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  getResponse: async () => ({
    messages: [{ role: 'assistant', contents: 'They spoke of the weather.' }],
  }),
};
const ours = (name, reducer) => ({
  name,
  prepare: (messages) => messages,
  run: async (messages) => (await reducer.reduce(messages)).messages,
  steps: stepsOf.minne,
});
const contestants = [
  ours('MessageCountingReducer', new MessageCountingReducer({ targetCount: 99 })),
  ours('SlidingWindowReducer', new SlidingWindowReducer({ targetCount: 25 })),
  ours('ToolResultClearingReducer', new ToolResultClearingReducer({ targetCount: 20 })),
  ours('TokenBudgetReducer, first count', new TokenBudgetReducer({ targetTokens: 5000 })),
  ours('TokenBudgetReducer, counted', new TokenBudgetReducer({ targetTokens: 5000 })),
  ours('SummarizingReducer', new SummarizingReducer({ chatClient: summariser, targetCount: 100 })),
  {
    name: 'LangChain trimMessages, 99',
    prepare: toLangChain,
    steps: stepsOf.langchain,
    run: (messages) =>
      trimMessages(messages, {
        maxTokens: 99,
        tokenCounter: (list) => list.length,
        strategy: 'last',
      }),
  },
  {
    name: 'LangChain trimMessages, startOn',
    prepare: toLangChain,
    steps: stepsOf.langchain,
    run: (messages) =>
      trimMessages(messages, {
        maxTokens: 99,
        tokenCounter: (list) => list.length,
        strategy: 'last',
        startOn: 'human',
      }),
  },
  {
    name: 'AI SDK pruneMessages, 99',
    prepare: toAiSdk,
    steps: stepsOf.aiSdk,
    run: (messages) => pruneMessages({ messages, toolCalls: 'before-last-99-messages' }),
  },
];

const pad = (value, width) => String(value).padStart(width);
console.log(
  `${'milliseconds (MiB grown)'.padEnd(34)}${pad('1,000', 16)}${pad('10,000', 16)}${pad('100,000', 16)}${pad('left', 9)}${pad('refused', 9)}`,
);
// ONLY=name measures one of them.
for (const { name, prepare, run, steps } of contestants) {
  if (!name.includes(process.env.ONLY ?? '')) continue;
  const cells = [];
  let left = [];
  let tooSlow = false;
  for (const length of [1_000, 10_000, 100_000]) {
    if (tooSlow) {
      cells.push(pad('not run', 16));
      continue;
    }
    // A question more than whole turns, so that a cut in the middle of a turn can go wrong.
    const source = history(length + 1);
    let best = Number.POSITIVE_INFINITY;
    let grown = 0;
    const shared = prepare(source);
    if (name.endsWith(', counted')) countMessages(source, estimatedTokenCounter);
    for (let round = 0; round < 7; round += 1) {
      const messages = name.endsWith('first count') ? prepare(structuredClone(source)) : shared;
      globalThis.gc();
      const heap = process.memoryUsage().heapUsed;
      const start = performance.now();
      left = await run(messages);
      const time = performance.now() - start;
      if (time < best) [best, grown] = [time, process.memoryUsage().heapUsed - heap];
      tooSlow ||= time > 100 && length < 100_000; // ten times the messages would take a hundred times as long
      if (tooSlow) break;
    }
    cells.push(pad(`${best.toFixed(1)} (${(grown / 1048576).toFixed(1)})`, 16));
  }
  console.log(
    `${name.padEnd(34)}${cells.join('')}${pad(left.length, 9)}${pad(refused(steps(left)), 9)}`,
  );
}

console.log(
  '\nshare of the tokens sent over 1,000 turns that lie in the prefix of the request before',
);
for (const [target, threshold] of [
  [100, 100],
  [20, 20],
]) {
  const all = history(4000);
  const windows = [
    [
      `${target + threshold} → ${target} messages`,
      new MessageCountingReducer({ targetCount: target, threshold }),
    ],
    [`plain window of ${target}`, new MessageCountingReducer({ targetCount: target })],
    [
      `plain window of ${target + threshold}`,
      new MessageCountingReducer({ targetCount: target + threshold }),
    ],
  ];
  for (const [name, reducer] of windows) {
    let [view, before, sent, same] = [[], [], 0, 0];
    for (let turn = 0; turn < 1000; turn += 1) {
      // What is reduced stays reduced, as a history provider keeps it. A turn is two model calls.
      view = (await reducer.reduce([...view, all[turn * 4]])).messages;
      for (const request of [view, [...view, all[turn * 4 + 1], all[turn * 4 + 2]]]) {
        let shared = 0;
        while (shared < before.length && before[shared] === request[shared]) shared += 1;
        same += countMessages(request.slice(0, shared), estimatedTokenCounter);
        sent += countMessages(request, estimatedTokenCounter);
        before = request;
      }
      view = [...before, all[turn * 4 + 3]];
    }
    console.log(`${name.padEnd(34)}${pad(((same / sent) * 100).toFixed(1), 8)} %`);
  }
}
