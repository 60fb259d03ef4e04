import { Agent } from '@openai/agents';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { outline } from './items.js';
import { sessionStore } from './session-store.js';
import { type Api, add, startRunner } from './wire-runner.js';

describe.each<Api>(['responses', 'chat completions'])('the runner over %s', (api) => {
  const agent = new Agent({ name: 'Helper', instructions: 'Help.', tools: [add] });

  it('sends what was said before', async () => {
    const { server, runner, refusals } = await startRunner(api);
    const store = sessionStore();
    server.script({ text: 'Hello Ann.' }, { text: 'You are Ann.' });
    await runner.run(agent, 'I am Ann.', { session: store.open() });
    const answer = await runner.run(agent, 'Who am I?', { session: store.open() });
    expect(answer.finalOutput).toBe('You are Ann.');
    const asked = JSON.stringify(server.requests[1]?.body);
    for (const text of ['I am Ann.', 'Hello Ann.', 'Who am I?']) expect(asked).toContain(text);
    expect(outline(await store.open().getItems())).toEqual([
      'I am Ann.',
      'Hello Ann.',
      'Who am I?',
      'You are Ann.',
    ]);
    expect(refusals()).toEqual([]);
  });

  it('keeps parallel calls with their results, and the next run is accepted', async () => {
    const { server, runner, refusals } = await startRunner(api);
    const store = sessionStore();
    const sum = (a: number, id: string) => ({ name: 'add', arguments: { a, b: 1 }, id });
    server.script(
      { toolCalls: [sum(1, 'c1'), sum(2, 'c2')] },
      { text: '2 and 3' },
      { text: 'Gladly.' },
    );
    await runner.run(agent, 'Add.', { session: store.open() });
    await runner.run(agent, 'Thanks.', { session: store.open() });
    expect(refusals()).toEqual([]);
    expect(outline(await store.open().getItems())).toEqual([
      'Add.',
      'function_call c1',
      'function_call c2',
      'function_call_result c1',
      'function_call_result c2',
      '2 and 3',
      'Thanks.',
      'Gladly.',
    ]);
  });

  it('stores a streamed run as one that is not streamed', async () => {
    const { server, runner, refusals } = await startRunner(api);
    const store = sessionStore();
    const script = [
      { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 }, id: 'c1' }] },
      { text: 'Two.' },
    ];
    server.script(...script, ...script, { text: 'Yes.' });
    await runner.run(agent, 'One and one?', { session: store.open('whole') });
    const streamed = await runner.run(agent, 'One and one?', {
      session: store.open('streamed'),
      stream: true,
    });
    await streamed.completed;
    const items = await store.open('streamed').getItems();
    expect(outline(items)).toEqual(outline(await store.open('whole').getItems()));
    await runner.run(agent, 'Sure?', { session: store.open('streamed') });
    expect(refusals()).toEqual([]);
  });

  it('leaves nothing that the service refuses when a model call fails in the middle', async () => {
    for (const stream of [false, true] as const) {
      const { server, runner, refusals } = await startRunner(api);
      const store = sessionStore();
      server.script(
        { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 }, id: 'c1' }] },
        { status: 500, body: { error: { message: 'The server had an error.' } } },
        { text: 'Here again.' },
      );
      const failed = stream
        ? runner
            .run(agent, 'One and one?', { session: store.open(), stream })
            .then(({ completed }) => completed)
        : runner.run(agent, 'One and one?', { session: store.open() });
      await expect(failed).rejects.toThrow();
      const answer = await runner.run(agent, 'Still there?', { session: store.open() });
      expect(answer.finalOutput).toBe('Here again.');
      expect(refusals()).toEqual([]);
      // The runner stores a run when it is over, and of a streamed one the input before.
      expect(outline(await store.open().getItems())).toEqual([
        ...(stream ? ['One and one?'] : []),
        'Still there?',
        'Here again.',
      ]);
    }
  });

  it('keeps a handoff', async () => {
    const { server, runner, refusals } = await startRunner(api);
    const store = sessionStore();
    const poet = new Agent({ name: 'Poet', instructions: 'Rhyme.' });
    const desk = Agent.create({ name: 'Desk', instructions: 'Hand over.', handoffs: [poet] });
    server.script(
      { toolCalls: [{ name: 'transfer_to_Poet', arguments: {}, id: 'h1' }] },
      { text: 'Roses are red.' },
      { text: 'You got a poem.' },
    );
    const answer = await runner.run(desk, 'A poem.', { session: store.open() });
    expect(answer.lastAgent?.name).toBe('Poet');
    await runner.run(desk, 'What did I get?', { session: store.open() });
    expect(refusals()).toEqual([]);
    expect(outline(await store.open().getItems())).toEqual([
      'A poem.',
      'function_call h1',
      'function_call_result h1',
      'Roses are red.',
      'What did I get?',
      'You got a poem.',
    ]);
  });
});

describe('the runner', () => {
  it('keeps reasoning with what it belongs to', async () => {
    const { server, runner, refusals } = await startRunner();
    const store = sessionStore();
    const agent = new Agent({ name: 'Helper', tools: [add] });
    server.script(
      { reasoning: 'Add them.', toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 }, id: 'c1' }] },
      { reasoning: 'Say it.', text: 'Two.' },
      { text: 'Yes.' },
    );
    await runner.run(agent, 'One and one?', { session: store.open() });
    await runner.run(agent, 'Sure?', { session: store.open() });
    expect(refusals()).toEqual([]);
    expect(outline(await store.open().getItems(1))).toEqual(['Yes.']);
    expect(outline(await store.open().getItems(3))).toEqual(['reasoning', 'Two.', 'Sure?', 'Yes.']);
    expect(outline(await store.open().getItems(5))).toEqual([
      'reasoning',
      'function_call c1',
      'function_call_result c1',
      'reasoning',
      'Two.',
      'Sure?',
      'Yes.',
    ]);
  });

  it.each(['previousResponseId', 'conversationId'] as const)(
    'stores nothing of what the service keeps itself (%s), and sends nothing twice',
    async (by) => {
      const { server, runner, refusals } = await startRunner();
      const store = sessionStore();
      const agent = new Agent({ name: 'Helper', tools: [add] });
      server.script(
        { text: 'One.' },
        { text: 'Two.' },
        { toolCalls: [{ name: 'add', arguments: { a: 1, b: 1 }, id: 'c1' }] },
        { text: 'Three.' },
      );
      await runner.run(agent, 'Local.', { session: store.open() });
      const client = new OpenAI({ baseURL: server.baseUrl, apiKey: 'key' });
      const { id } = await client.conversations.create({});
      const first = await runner.run(
        agent,
        'First.',
        by === 'conversationId' ? { conversationId: id } : {},
      );
      const kept = by === 'conversationId' ? id : first.lastResponseId;
      if (kept === undefined) throw new Error('The response has no id.');
      await runner.run(agent, 'Second.', { session: store.open(), [by]: kept });
      const given = JSON.stringify(server.requests.at(-1)?.effectiveInput);
      expect(given).not.toContain('Local.');
      for (const text of ['First.', 'Two.', 'Second.']) expect(given.split(text)).toHaveLength(2);
      expect(outline(await store.open().getItems())).toEqual(['Local.', 'One.']);
      expect(refusals()).toEqual([]);
    },
  );

  it('stores two runs at once whole, one after the other', async () => {
    const { server, runner, refusals } = await startRunner();
    const store = sessionStore();
    const agent = new Agent({ name: 'Helper' });
    server.script(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return { text: 'Answer.' };
      },
      { text: 'Answer.' },
    );
    await Promise.all(
      ['Question 1', 'Question 2'].map((text) =>
        runner.run(agent, text, { session: store.open() }),
      ),
    );
    const texts = outline(await store.open().getItems());
    expect(texts.filter((_, index) => index % 2 === 0).toSorted()).toEqual([
      'Question 1',
      'Question 2',
    ]);
    expect(texts.filter((_, index) => index % 2 === 1)).toEqual(['Answer.', 'Answer.']);
    expect(refusals()).toEqual([]);
  });
});
