// Draws what a model sees over a long session, for docs/guide/choosing-a-window.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import { countMessages } from '@minne/core';
import {
  cachedTokenCounter,
  estimatedTokenCounter,
  MessageCountingReducer,
  SlidingWindowReducer,
  SummarizingReducer,
  summaryRangeOf,
  TokenBudgetReducer,
} from '@minne/reducers';
import { evenHistory } from './histories.mjs';
import { PrefixMeter, requestsOf } from './prefix.mjs';
import { document, panel, path, text } from './svg.mjs';

const folder = new URL('../../docs/guide/images/', import.meta.url);
const counter = cachedTokenCounter(estimatedTokenCounter);
const number = (value) => value.toLocaleString('en');
const summariser = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  getResponse: async () => ({
    messages: [
      { role: 'assistant', contents: 'They spoke of trains, seats and prices. '.repeat(8) },
    ],
  }),
};
const summarising = (targetCount, threshold) =>
  new SummarizingReducer({ chatClient: summariser, targetCount, threshold });
const counting = (targetCount, threshold) => new MessageCountingReducer({ targetCount, threshold });
const nothing = { reduce: async (messages) => ({ messages }) };

/** The last request of each turn. */
async function lastRequests(reducer, all) {
  const found = [];
  for await (const { turn, request } of requestsOf(reducer, all)) found[turn] = request;
  return found;
}

async function tokensPerTurn() {
  const all = evenHistory(1_000);
  const parts = [text(16, 22, 'Tokens in the last request of each turn', { name: 'title' })];
  const panels = [
    ['no reducer', 'e', nothing],
    ['sliding window of 25 turns', 'b', new SlidingWindowReducer({ targetCount: 25 })],
    ['counting, 200 → 100 messages', 'a', counting(100, 100)],
    [
      'token budget, 6,000 → 4,000 tokens',
      'c',
      new TokenBudgetReducer({ targetTokens: 4_000, threshold: 2_000 }),
    ],
    ['summarising, 100 → 50 messages', 'd', summarising(50, 50)],
  ];
  const [left, width, height, most] = [84, 690, 80, 15_000];
  for (const [index, [name, colour, reducer]] of panels.entries()) {
    const top = 54 + index * 122;
    const last = index === panels.length - 1;
    const {
      atX,
      atY,
      parts: axes,
    } = panel({
      left,
      top,
      width,
      height,
      x: { most: 1_000, ticks: [0, 250, 500, 750, 1_000], write: last ? number : undefined },
      y: { most, ticks: [0, 5_000, 10_000, 15_000], write: number },
    });
    const requests = await lastRequests(reducer, all);
    const tokens = requests.map((request) => countMessages(request, counter));
    const out = tokens.findIndex((count) => count > most);
    const shown = out < 0 ? tokens : tokens.slice(0, out);
    const points = shown.map((count, turn) => [atX(turn + 1), atY(count)]);
    const end = number(Math.round(tokens.at(-1) / 1000) * 1000);
    const note = out < 0 ? '' : `: leaves the plot at turn ${out + 1}, ${end} tokens at turn 1,000`;
    parts.push(...axes, path(points, `line ${colour}`), text(left, top - 8, `${name}${note}`));
  }
  const bottom = 54 + 4 * 122 + height;
  parts.push(text(left + width / 2, bottom + 40, 'turn', { anchor: 'middle' }));
  parts.push(text(20, 54 + 2 * 122 + height / 2, 'tokens', { anchor: 'middle', turned: true }));
  return document(800, bottom + 52, 'Tokens sent per turn over 1,000 turns, by reducer', parts);
}

async function unchangedPrefix() {
  const all = evenHistory(1_000);
  const parts = [
    text(16, 22, 'Share of the tokens of a turn that lie in an unchanged prefix', {
      name: 'title',
    }),
  ];
  const [left, width, height] = [70, 700, 110];
  const panels = [
    ['plain window of 100 messages', 'b', counting(100, 0)],
    ['200 → 100 messages', 'a', counting(100, 100)],
  ];
  for (const [index, [name, colour, reducer]] of panels.entries()) {
    const top = 62 + index * 160;
    const {
      atX,
      atY,
      parts: axes,
    } = panel({
      left,
      top,
      width,
      height,
      x: { most: 1_000, ticks: [0, 250, 500, 750, 1_000], write: index === 1 ? number : undefined },
      y: { most: 100, ticks: [0, 50, 100], write: (value) => `${value} %` },
    });
    const meter = new PrefixMeter();
    const sums = [];
    for await (const { turn, request } of requestsOf(reducer, all)) {
      const { sent, same } = meter.add(request);
      const sum = sums[turn] ?? { sent: 0, same: 0 };
      sums[turn] = { sent: sum.sent + sent, same: sum.same + same };
    }
    const points = sums.map(({ sent, same }, turn) => [atX(turn + 1), atY((100 * same) / sent)]);
    const share = ((100 * meter.same) / meter.sent).toFixed(1);
    parts.push(...axes, path(points, `line ${colour}`));
    parts.push(text(left, top - 10, `${name}: ${share} % over all turns`));
  }
  const bottom = 62 + 160 + height;
  parts.push(text(left + width / 2, bottom + 40, 'turn (two requests each)', { anchor: 'middle' }));
  return document(800, bottom + 52, 'Share of unchanged prefix per turn, by window', parts);
}

async function whatIsSeen() {
  const turns = 120;
  const all = evenHistory(turns);
  const places = new Map(all.map(({ id }, index) => [id, index]));
  const parts = [text(16, 22, 'Which messages the model sees', { name: 'title' })];
  const [top, width, height] = [66, 200, 240];
  const panels = [
    ['plain window of 100', 'b', counting(100, 0)],
    ['200 → 100', 'a', counting(100, 100)],
    ['summarising, 200 → 100', 'd', summarising(100, 100)],
  ];
  for (const [index, [name, colour, reducer]] of panels.entries()) {
    const left = 70 + index * 245;
    const {
      atX,
      atY,
      parts: axes,
    } = panel({
      left,
      top,
      width,
      height,
      x: { most: turns, ticks: [0, 40, 80, 120], write: number },
      y: {
        most: turns * 4,
        ticks: [0, 120, 240, 360, 480],
        write: index === 0 ? number : () => '',
      },
    });
    const requests = await lastRequests(reducer, all);
    const upper = [];
    const lower = [];
    const told = [];
    for (const [turn, request] of requests.entries()) {
      const own = request.flatMap(({ id }) => places.get(id) ?? []);
      const [first, last] = [own[0], own.at(-1) + 1];
      for (const x of [atX(turn), atX(turn + 1)]) {
        upper.push([x, atY(last)]);
        lower.push([x, atY(first)]);
        const summarised = request.flatMap((message) => summaryRangeOf(message)?.count ?? []);
        told.push([x, atY(summarised[0] ?? 0)]);
      }
    }
    parts.push(...axes, path([...upper, ...lower.reverse()], `band ${colour}`, { closed: true }));
    if (name.startsWith('summarising')) {
      const ground = [
        [atX(turns), atY(0)],
        [atX(0), atY(0)],
      ];
      parts.push(path([...told, ...ground], `told ${colour}`, { closed: true }));
      parts.push(text(atX(86), atY(60), 'told by', { anchor: 'middle' }));
      parts.push(text(atX(86), atY(26), 'the summary', { anchor: 'middle' }));
    }
    parts.push(text(left, top - 12, name));
    parts.push(text(left + width / 2, top + height + 40, 'turn', { anchor: 'middle' }));
  }
  parts.push(text(20, top + height / 2, 'message, by number', { anchor: 'middle', turned: true }));
  return document(800, top + height + 52, 'Which messages the model sees over 120 turns', parts);
}

mkdirSync(folder, { recursive: true });
for (const [name, draw] of [
  ['tokens-per-turn', tokensPerTurn],
  ['unchanged-prefix', unchangedPrefix],
  ['messages-seen', whatIsSeen],
]) {
  writeFileSync(new URL(`${name}.svg`, folder), await draw());
}
