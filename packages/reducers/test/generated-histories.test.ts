import { type ChatMessage, isSummary, isSystem, sourceMetadataKey } from '@minne/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { groupMessages } from '../src/index.js';
import { histories } from './generated-histories.js';
import { type Pair, pairsOf } from './pairs.js';

const calls = (message: ChatMessage) =>
  message.contents.filter(({ type }) => type === 'tool_call').length;
const textLength = ({ contents }: ChatMessage): number =>
  contents.reduce((sum, it) => sum + (it.type === 'text' ? it.text.length : 0), 0);
const isWithin = (inner: Pair, outer: Pair): boolean =>
  outer.callAt < inner.callAt && inner.resultAt < outer.resultAt;

/** What has to occur among generated histories, each by how it is told. */
const kinds: Readonly<Record<string, (history: readonly ChatMessage[]) => boolean>> = {
  'parallel calls': (history) => history.some((message) => calls(message) > 1),
  'nested calls': (history) => {
    const { pairs } = pairsOf(history);
    return pairs.some((outer) => pairs.some((inner) => isWithin(inner, outer)));
  },
  'reused call ids, two of them open at once': (history) => {
    const { pairs } = pairsOf(history);
    return pairs.some((one) =>
      pairs.some(
        (other) =>
          one !== other &&
          one.call.callId === other.call.callId &&
          one.callAt < other.callAt &&
          other.callAt < one.resultAt,
      ),
    );
  },
  'unanswered calls': (history) => pairsOf(history).open.length > 0,
  'late results, after the next question': (history) =>
    pairsOf(history).pairs.some(({ callAt, resultAt }) =>
      history.slice(callAt, resultAt).some(({ role }) => role === 'user'),
    ),
  'results without a call': (history) => pairsOf(history).lost.length > 0,
  'a result first': (history) => history[0]?.contents[0]?.type === 'tool_result',
  'several system messages after the beginning': (history) =>
    history.slice(1).filter(isSystem).length > 1,
  'approvals waiting': (history) => groupMessages(history).waiting.length > 0,
  'several summaries': (history) => history.filter(isSummary).length > 1,
  'empty messages': (history) => history.some(({ contents }) => contents.length === 0),
  'empty texts': (history) =>
    history.some(({ contents: [it] }) => it?.type === 'text' && it.text === ''),
  'huge messages': (history) => history.some((message) => textLength(message) > 1000),
  'a group larger than a window of two': (history) => {
    const { groupOf } = groupMessages(history);
    return [...groupOf].some(
      (group, position) => groupOf.filter((it) => it === group).length > 2 && position === group,
    );
  },
  'incomplete messages': (history) => history.some(({ status }) => status === 'incomplete'),
  'incomplete calls': (history) =>
    history.some((message) => message.status === 'incomplete' && calls(message) > 0),
  'injected context': (history) =>
    history.some(({ metadata }) => metadata?.[sourceMetadataKey] !== undefined),
  'contents of a later version': (history) =>
    history.some(({ contents }) => contents.some(({ type }) => `${type}` === 'hologram')),
  pictures: (history) =>
    history.some(({ contents }) => contents.some(({ type }) => type === 'data')),
};

it.each(Object.entries(kinds))('generated histories hold %s', (_, occurs) => {
  const samples = fc.sample(histories, { numRuns: 200, seed: 3 });
  expect(samples.filter(occurs).length).toBeGreaterThan(5);
});
