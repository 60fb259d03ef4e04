import { Agent, defineTool, HistoryProvider, type Tool } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { ways } from './ways.js';

const anything = { type: 'object' };

function toolOf(execute: (input: unknown) => unknown, name = 'work'): Tool {
  return defineTool({ name, description: 'Works.', parameters: anything, execute });
}

function nested(depth: number): unknown {
  let value: unknown = 'end';
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe.each(ways)('a tool, by $way', ({ ask }) => {
  /** Has the model call the tool, and returns its result, as it is stored. */
  async function resultOf(tool: Tool, input: unknown = {}) {
    const provider = new HistoryProvider({ backend: new MemoryBackend() });
    const agent = new Agent({
      chatClient: new ScriptedChatClient([[toolCall('a', tool.name, input)], 'ok']),
      contextProviders: [provider],
      tools: [tool],
    });
    const session = agent.createSession();
    expect((await ask(agent, 'go', { session })).text).toBe('ok');
    const { messages, damaged } = await provider.getMessages(session);
    expect(damaged).toEqual([]);
    expect(messages).toHaveLength(4);
    return messages[2]?.contents[0];
  }

  const unspeakable = {
    toString() {
      throw new Error('unspeakable');
    },
  };
  const opaque = new Proxy(
    {},
    {
      getPrototypeOf() {
        throw new Error('opaque');
      },
    },
  );

  it.each<[string, unknown, string]>([
    ['a text', 'no paper', 'no paper'],
    ['undefined', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('stop'), 'Symbol(stop)'],
    ['an error without a text', new TypeError(), 'TypeError'],
    ['an error whose text is no text', Object.assign(new Error(), { message: 7n }), '7'],
    ['an object without a prototype', Object.create(null), 'It failed'],
    ['an object that cannot be written', unspeakable, 'It failed'],
    ['an object that cannot be looked at', opaque, 'It failed'],
  ])('may throw %s', async (_what, thrown, text) => {
    const result = await resultOf(
      toolOf(() => {
        throw thrown;
      }),
    );
    expect(result).toMatchObject({ result: null, error: expect.stringContaining(text) });
  });

  const circle: Record<string, unknown> = {};
  circle['self'] = circle;

  it.each<[string, unknown, string]>([
    ['a circle', circle, 'a cycle'],
    ['a circle of maps', circular(new Map()), 'Map'],
    ['what is nested just too deep', nested(257), 'deeper than 256'],
    ['what is nested without end', nested(20_000), 'deeper than 256'],
    ['what becomes too deep when written', { toJSON: () => nested(511) }, 'deeper than 256'],
    ['a promise within', { later: Promise.resolve() }, 'Promise'],
    [
      'a getter that throws',
      Object.defineProperty({}, 'x', {
        enumerable: true,
        get() {
          throw new Error('out of reach');
        },
      }),
      'out of reach',
    ],
  ])('may not return %s', async (_what, value, text) => {
    const result = await resultOf(toolOf(() => value));
    expect(result).toMatchObject({ result: null, error: expect.stringContaining(text) });
  });

  it.each<[string, unknown, unknown]>([
    ['what is nested deep', nested(256), nested(256)],
    ['gaps', Object.assign([], { 2: 1 }), [null, null, 1]],
    ['a key __proto__', JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
    ['what it writes as itself', { toJSON: () => ({ rows: 1n }) }, { rows: '1' }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['a long text', 'x'.repeat(3_000_000), 'x'.repeat(3_000_000)],
  ])('may return %s', async (_what, value, expected) => {
    expect(await resultOf(toolOf(() => value))).toEqual({
      type: 'tool_result',
      callId: 'a',
      result: expected,
    });
  });

  it.each(['__proto__', 'constructor', 'toString'])('may be named %s', async (name) => {
    expect(await resultOf(toolOf(() => 'ran', name))).toMatchObject({ result: 'ran' });
  });

  it.each(['null', '[]', '"x"', '7', '[{}]'])(
    'is not run with %s for arguments, which its schema does not take',
    async (text) => {
      const parameters = z.object({});
      const options = { name: 'work', description: 'Works.', execute: () => 'ran' };
      for (const tool of [
        defineTool({ ...options, parameters }),
        defineTool({ ...options, parameters: anything }),
      ]) {
        expect(await resultOf(tool, text)).toMatchObject({
          error: expect.stringContaining('do not fit'),
        });
      }
    },
  );

  it('is given large and deep arguments, and what becomes of them is no end of the run', async () => {
    const text = 'x'.repeat(100_000);
    expect(
      await resultOf(
        toolOf((input) => JSON.stringify(input).length),
        { text },
      ),
    ).toMatchObject({
      result: text.length + 11,
    });
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    expect(
      await resultOf(
        toolOf(() => 'ran'),
        deep,
      ),
    ).toMatchObject({ type: 'tool_result' });
  });

  it('with a time limit that no timer takes is an error result, not the end of the run', async () => {
    const tool = { ...toolOf(() => 'ran'), timeout: Number.NaN };
    expect(await resultOf(tool)).toMatchObject({ error: expect.stringContaining('NaN') });
  });
});

describe('defineTool', () => {
  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31])(
    'refuses a timeout of %d',
    (timeout) => {
      const options = { name: 'work', description: 'Works.', parameters: anything };
      expect(() => defineTool({ ...options, timeout, execute: () => 0 })).toThrow(
        /timeout of work/,
      );
    },
  );
});

function circular(map: Map<string, unknown>): Map<string, unknown> {
  return map.set('self', map);
}
