import { type ChatMessage, type Content, parseMessage } from '@minne/core';
import type { OpenAIWireServer } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenAIChatCompletionCommonOptions } from '../src/index.js';
import {
  clientOf,
  failureOf,
  lastBody,
  message,
  responsesClientOf,
  said,
  startWire,
  user,
} from './wire-fixture.js';

let server: OpenAIWireServer;
beforeAll(async () => {
  server = await startWire({ fallback: { text: 'ok' } });
});
afterAll(() => server.close());

/** The messages as the server got and took them. */
async function sent(
  messages: readonly ChatMessage[],
  settings: Partial<OpenAIChatCompletionCommonOptions> = {},
  instructions?: string,
): Promise<unknown> {
  const options = instructions === undefined ? {} : { instructions };
  await clientOf(server, settings).getResponse(messages, options);
  return lastBody(server)['messages'];
}

const call = (callId: string, args = '{"a":1}', name = 'add'): Content => ({
  type: 'tool_call',
  callId,
  name,
  arguments: args,
});
const png = 'iVBORw0KGgo=';

describe('instructions and roles', () => {
  it('puts the instructions first, once, and leaves other system messages where they are', async () => {
    const messages = [
      user('hi'),
      said('assistant', 'hello'),
      said('system', 'Summary.'),
      user('go on'),
    ];
    expect(await sent(messages, {}, 'Reply in rhyme.')).toEqual([
      { role: 'system', content: 'Reply in rhyme.' },
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hello' },
      { role: 'system', content: 'Summary.' },
      { role: 'user', content: 'go on' },
    ]);
  });

  it('sends no system message for no instructions', async () => {
    expect(await sent([user('hi')], {}, '')).toEqual([{ role: 'user', content: 'hi' }]);
  });

  it('sends developers as such, or as system to servers that know none', async () => {
    const messages = [said('developer', 'Be brief.'), user('hi')];
    expect(await sent(messages)).toMatchObject([{ role: 'developer' }, { role: 'user' }]);
    expect(await sent(messages, { developerRole: 'system' })).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user' },
    ]);
  });

  it('sends only the text of system messages', async () => {
    const image: Content = { type: 'data', data: png, mediaType: 'image/png' };
    expect(await sent([said('system', 'One.', image, 'Two.'), user('hi')])).toEqual([
      {
        role: 'system',
        content: [
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
        ],
      },
      { role: 'user', content: 'hi' },
    ]);
  });
});

describe('names', () => {
  const messages = [
    message({ role: 'user', contents: 'hi', authorName: 'Åsa Berg' }),
    message({ role: 'assistant', contents: 'hello', authorName: 'helper' }),
    message({ role: 'user', contents: 'and?', authorName: '将棋' }),
  ];
  it.each([
    [undefined, ['Asa_Berg', undefined, undefined]],
    ['all', ['Asa_Berg', 'helper', undefined]],
    ['none', [undefined, undefined, undefined]],
  ] as const)('%s', async (names, expected) => {
    const list = (await sent(messages, names === undefined ? {} : { names })) as object[];
    expect(list.map((item) => ('name' in item ? item.name : undefined))).toEqual(expected);
  });
});

describe('what a user may send', () => {
  const parts = async (...contents: Content[]): Promise<unknown> => {
    const list = (await sent([user(...contents)])) as { content: unknown }[];
    return list[0]?.content;
  };

  it('keeps texts apart and drops empty ones', async () => {
    expect(await sent([user('Question?', '', 'Context')])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Question?' },
          { type: 'text', text: 'Context' },
        ],
      },
    ]);
  });

  it('writes bytes as a data URL, once', async () => {
    const bytes = Buffer.from([255, 216, 255, 0]).toString('base64');
    const expected = [{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,/9j/AA==' } }];
    expect(await parts({ type: 'data', data: bytes, mediaType: 'image/jpeg' })).toEqual(expected);
    const already = `data:image/jpeg;base64,${bytes}`;
    expect(await parts({ type: 'data', data: already, mediaType: 'image/jpeg' })).toEqual(expected);
  });

  it('refuses bytes that are not base64 text, instead of writing them as numbers', async () => {
    const contents = JSON.parse('[{"type":"data","data":[255,216],"mediaType":"image/jpeg"}]');
    for (const client of [clientOf(server), responsesClientOf(server)]) {
      const before = server.requests.length;
      const error = await failureOf(client.getResponse([{ ...user('Look.'), contents }]));
      expect(error).toMatchObject({ code: 'invalid_input', field: 'messages' });
      expect(error.message).toContain('base64');
      expect(server.requests).toHaveLength(before);
    }
  });

  it('leaves the address of an image as it is', async () => {
    const url = 'https://example.com/a%20b.png?x=1';
    expect(await parts({ type: 'uri', uri: url, mediaType: 'image/png' })).toEqual([
      { type: 'image_url', image_url: { url } },
    ]);
  });

  it.each([
    ['audio/wav', 'wav'],
    ['audio/x-wav', 'wav'],
    ['audio/mpeg', 'mp3'],
  ])('sends %s as input_audio', async (mediaType, format) => {
    expect(await parts({ type: 'data', data: 'UklGRg==', mediaType })).toEqual([
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format } },
    ]);
    const uri = `data:${mediaType};base64,UklGRg==`;
    expect(await parts({ type: 'uri', uri, mediaType })).toEqual([
      { type: 'input_audio', input_audio: { data: 'UklGRg==', format } },
    ]);
  });

  it('sends other data as a file with a name, and hosted files by id', async () => {
    const pdf = { type: 'data', data: 'JVBERg==', mediaType: 'application/pdf' } as const;
    const file = (filename: string): object => ({
      type: 'file',
      file: { filename, file_data: 'data:application/pdf;base64,JVBERg==' },
    });
    expect(await parts({ ...pdf, name: 'report.pdf' }, pdf)).toEqual([
      file('report.pdf'),
      file('file.pdf'),
    ]);
    expect(await parts({ type: 'hosted_file', fileId: 'file-1' })).toEqual([
      { type: 'file', file: { file_id: 'file-1' } },
    ]);
  });

  it('tells the model of addresses that the service does not fetch', async () => {
    const uri = 'https://example.com/a.pdf';
    expect(await parts({ type: 'uri', uri, mediaType: 'application/pdf' })).toBe(
      `Attachment (application/pdf): ${uri}`,
    );
  });
});

describe('tool calls and results', () => {
  it('sends a call with null content, and each result of a message on its own', async () => {
    const messages = [
      user('add'),
      said('assistant', call('c1'), call('c2')),
      said(
        'tool',
        { type: 'tool_result', callId: 'c2', result: 'plain "text"' },
        { type: 'tool_result', callId: 'c1', result: { sum: 3, list: [1, null] } },
      ),
    ];
    expect(await sent(messages)).toEqual([
      { role: 'user', content: 'add' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
          { id: 'c2', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c2', content: 'plain "text"' },
      { role: 'tool', tool_call_id: 'c1', content: '{"sum":3,"list":[1,null]}' },
    ]);
  });

  it.each<[string, Partial<Extract<Content, { type: 'tool_result' }>>, string]>([
    ['null', { result: null }, 'null'],
    ['an empty string', { result: '' }, ''],
    ['a number', { result: 0 }, '0'],
    ['an error', { result: null, error: 'no such city' }, 'Error: no such city'],
    [
      'an error with a result',
      { result: { tried: 2 }, error: 'timed out' },
      'Error: timed out\n{"tried":2}',
    ],
  ])('tells the result %s', async (_name, result, expected) => {
    const content: Content = { type: 'tool_result', callId: 'c1', result: null, ...result };
    const list = (await sent([said('assistant', call('c1')), said('tool', content)])) as object[];
    expect(list[1]).toEqual({ role: 'tool', tool_call_id: 'c1', content: expected });
  });

  it('places results that stand in a user or assistant message directly behind their calls', async () => {
    const result: Content = { type: 'tool_result', callId: 'c1', result: 3 };
    const roles = async (...messages: ChatMessage[]): Promise<unknown> =>
      ((await sent(messages)) as { role: string }[]).map(({ role }) => role);
    expect(
      await roles(said('assistant', 'Let me see.', call('c1')), user(result, 'thanks')),
    ).toEqual(['assistant', 'tool', 'user']);
    expect(await roles(user('add'), said('assistant', call('c1'), result), user('ok'))).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
    ]);
  });

  it('never sends back arguments that are not JSON, nor names that the service refuses', async () => {
    for (const [args, expected] of [
      ['{"q":"abc', '{}'],
      ['', '{}'],
      ['{"q": 1 }', '{"q": 1 }'],
    ] as const) {
      const messages = [
        said('assistant', call('c1', args, 'functions.add!')),
        said('tool', { type: 'tool_result', callId: 'c1', result: null, error: 'not run' }),
      ];
      expect(await sent(messages)).toMatchObject([
        { tool_calls: [{ function: { name: 'functions_add_', arguments: expected } }] },
        {},
      ]);
    }
  });

  it('shortens ids that are too long for the service, in call and result alike', async () => {
    const long = `toolu_${'x'.repeat(60)}`;
    const messages = [
      said('assistant', call(`${long}1`), call(`${long}2`)),
      said('tool', { type: 'tool_result', callId: `${long}2`, result: 2 }),
      said('tool', { type: 'tool_result', callId: `${long}1`, result: 1 }),
    ];
    const [assistant, second, first] = (await sent(messages)) as [
      { tool_calls: { id: string }[] },
      { tool_call_id: string; content: string },
      { tool_call_id: string; content: string },
    ];
    const ids = assistant.tool_calls.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => id.length === 40 && id.startsWith('toolu_xxx'))).toBe(true);
    expect([first.tool_call_id, second.tool_call_id]).toEqual(ids);
    expect(await sent(messages)).toMatchObject([
      { tool_calls: [{ id: ids[0] }, { id: ids[1] }] },
      {},
      {},
    ]);
  });
});

describe('what is left out', () => {
  const ofALaterVersion = parseMessage({
    id: 'm1',
    role: 'user',
    contents: [{ type: 'hologram', beam: 1 }],
    createdAt: '2026-05-01T10:00:00.000Z',
  });
  const unsendable: Content[] = [
    { type: 'reasoning', text: 'hm', protectedData: 'x' },
    { type: 'usage', usage: { inputTokens: 1 } },
    { type: 'error', message: 'I cannot.', code: 'refusal' },
    {
      type: 'approval_request',
      id: 'a',
      toolCall: { type: 'tool_call', callId: 'c', name: 'n', arguments: '{}' },
    },
    { type: 'approval_response', id: 'a', approved: true },
    { type: 'data', data: png, mediaType: 'image/png' },
    ...ofALaterVersion.contents,
  ];

  it('contents that the service does not take, of an assistant', async () => {
    expect(
      await sent([user('hi'), said('assistant', ...unsendable, 'yes', ''), user('ok')]),
    ).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'yes' },
      { role: 'user', content: 'ok' },
    ]);
  });

  it.each(['assistant', 'system', 'developer', 'tool'] as const)(
    'a message of role %s that nothing is left of',
    async (role) => {
      expect(await sent([said(role, ...unsendable), said(role), user('hi')])).toEqual([
        { role: 'user', content: 'hi' },
      ]);
    },
  );

  it('a user message of nothing but later types', async () => {
    expect(await sent([user('hi'), user(...unsendable.slice(-1)), user('')])).toEqual([
      { role: 'user', content: 'hi' },
    ]);
  });

  it('reasoning, unless the server wants it back', async () => {
    const messages = [
      user('hi'),
      said('assistant', { type: 'reasoning', text: 'hm' }, 'yes'),
      user('ok'),
    ];
    const refused = await failureOf(sent(messages, { reasoningField: 'reasoning_content' }));
    expect(refused.message).toContain('messages[1].reasoning_content');
    expect((lastBody(server)['messages'] as object[])[1]).toEqual({
      role: 'assistant',
      content: 'yes',
      reasoning_content: 'hm',
    });
  });

  it('everything: then nothing is sent, and the error says so', async () => {
    const before = server.requests.length;
    const error = await failureOf(sent([said('assistant')]));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'messages' });
    expect(server.requests).toHaveLength(before);
  });
});

it('changes nothing of what it was given', async () => {
  const freeze = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    Object.freeze(value);
    for (const member of Object.values(value)) freeze(member);
  };
  const messages = [
    user('hi', { type: 'data', data: png, mediaType: 'image/png' }),
    said('assistant', 'yes'),
  ];
  freeze(messages);
  expect(await sent(messages, {}, 'Be kind.')).toHaveLength(3);
});
