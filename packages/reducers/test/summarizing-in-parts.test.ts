import { messageText } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { estimatedTokenCounter, SummarizingReducer, summaryRangeOf } from '../src/index.js';
import { round, talk } from './conversations.js';
import { Summariser } from './summariser.js';

const base = { targetCount: 6, maxInputTokens: 2500 };

describe('a summariser with a small window', () => {
  it('is told everything that goes, in several calls', async () => {
    const chatClient = new Summariser({ accepts: 9000 });
    const history = talk(50, 'Much was said. '.repeat(20));
    const { removed, warnings } = await new SummarizingReducer({ ...base, chatClient }).reduce(
      history,
    );
    expect(warnings).toEqual([]);
    expect(chatClient.told.length).toBeGreaterThan(1);
    const told = chatClient.told.join('\n');
    expect(removed.length).toBeGreaterThan(40);
    for (const message of removed) expect(told).toContain(messageText(message).split(' ')[0]);
  });

  it('is told a message that is larger than its window, in parts', async () => {
    const chatClient = new Summariser({ accepts: 9000 });
    const history = [...talk(1, 'word '.repeat(5000)), ...talk(20).slice(1)];
    const { removed } = await new SummarizingReducer({ ...base, chatClient }).reduce(history);
    expect(removed).toContain(history[0]);
    // A word may be cut in two where one part ends.
    expect(chatClient.told.join('').match(/word/g)?.length).toBeGreaterThan(4990);
  });

  it('is told a message of two scripts in parts, none over its window', async () => {
    const chatClient = new Summariser();
    const long = `${'word '.repeat(4000)}${'今天天气很好。'.repeat(2000)}${'👍🏽'.repeat(500)}`;
    const history = [...talk(1, long), ...talk(20).slice(1)];
    const { removed, warnings } = await new SummarizingReducer({ ...base, chatClient }).reduce(
      history,
    );
    expect(warnings).toEqual([]);
    expect(removed).toContain(history[0]);
    expect(chatClient.asked.length).toBeGreaterThan(5);
    for (const { text, options } of chatClient.asked) {
      expect(tokensOf(text) + tokensOf(options.instructions ?? '')).toBeLessThanOrEqual(2500);
      expect(text.isWellFormed()).toBe(true);
    }
    const told = chatClient.told.join('');
    expect(told.match(/今/g)?.length).toBe(2000);
    expect(told.match(/👍/gu)?.length).toBe(500);
  });

  it('is told whole groups, each in one call where it fits', async () => {
    const chatClient = new Summariser();
    const rounds = Array.from({ length: 20 }, (_, index) =>
      round(index, 'It was sunny. '.repeat(20)),
    );
    const { removed } = await new SummarizingReducer({ ...base, chatClient }).reduce(rounds.flat());
    expect(chatClient.told.length).toBeGreaterThan(1);
    for (const [index, messages] of rounds.entries()) {
      if (!messages.every((message) => removed.includes(message))) continue;
      const calls = chatClient.told.filter((text) => text.includes(`"id":"call ${index}"`));
      expect(calls.length, `calls that tell of group ${index}`).toBe(1);
      expect(calls[0]?.match(new RegExp(`"id":"call ${index}"`, 'g'))?.length).toBe(2);
    }
  });

  it('is told the summary so far, and what it covered earlier', async () => {
    const chatClient = new Summariser({ text: 'The river is the Glomma.' });
    const history = talk(50, 'Much was said. '.repeat(20));
    const reducer = new SummarizingReducer({ ...base, chatClient });
    const first = await reducer.reduce(history);
    const calls = chatClient.asked.length;
    expect(chatClient.asked[0]?.text).not.toContain('<record>');
    for (const { text } of chatClient.asked.slice(1)) {
      expect(text).toContain('<record>\n"The river is the Glomma."\n</record>');
    }
    const later = talk(10).map((message) => ({ ...message, id: `later-${message.id}` }));
    const second = await reducer.reduce([...first.messages, ...later]);
    expect(
      chatClient.asked
        .slice(calls)
        .map(({ text }) => text)
        .join(),
    ).toContain('{"earlierSummaryOfMessages":46,"contents":["What was said before');
    expect(second.removed).toContain(first.summary);
    expect(second.summary && summaryRangeOf(second.summary)).toMatchObject({
      from: 'm0',
      count: 56,
    });
  });

  it('that writes too much of a summary to go on is asked no more, and changes nothing', async () => {
    const chatClient = new Summariser({ text: 'They spoke of this and of that. '.repeat(260) });
    const history = talk(100, 'Much was said. '.repeat(30));
    const { messages, warnings } = await new SummarizingReducer({ ...base, chatClient }).reduce(
      history,
    );
    expect(warnings).toMatchObject([{ code: 'summary_failed' }]);
    expect(chatClient.asked.length).toBe(1);
    expect(messages).toBe(history);
  });

  it('has a window of its own: a budget of the agent does not count for it', async () => {
    const chatClient = new Summariser();
    const history = talk(200, 'Much was said. '.repeat(20));
    const reducer = new SummarizingReducer({ chatClient, targetCount: 6, maxInputTokens: 100_000 });
    const { messages } = await reducer.reduce(history, { fixedTokens: 8000 });
    expect(messages.length).toBeLessThanOrEqual(6);
    expect(chatClient.asked.length).toBe(1);
    expect(chatClient.asked[0]?.options).toMatchObject({ maxOutputTokens: 1000 });
  });

  it('keeps what a failing later call was to cover', async () => {
    const chatClient = new Summariser({ failAt: (call) => call === 2 });
    const history = talk(50, 'Much was said. '.repeat(20));
    const { removed, warnings } = await new SummarizingReducer({ ...base, chatClient }).reduce(
      history,
    );
    expect(warnings).toMatchObject([{ code: 'summary_failed' }]);
    const told = chatClient.told.join('\n');
    for (const message of removed) expect(told).toContain(messageText(message).split(' ')[0]);
  });
});

function tokensOf(text: string): number {
  return estimatedTokenCounter.count({ type: 'text', text });
}
