import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ChatMessage, messageText } from '@minne/core';
import type { EntryWire } from '@minne/core/memory';
import { startOpenAIWire } from '@minne/openai-wire';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type Ending,
  type PlaygroundProcess,
  runToEnd,
  SignedInClient,
  startProcess,
} from './support/playground-process.js';

const entriesPath = '/api/2.0/agents/memory-stores/playground/entries?actor_id=you';

describe('npm start', { timeout: 60_000 }, () => {
  let directory: string;
  const running = new Set<PlaygroundProcess>();
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'minne-main-'));
  });
  afterEach(async () => {
    for (const one of running) {
      one.kill('SIGKILL');
      await one.ended;
    }
    running.clear();
    await rm(directory, { recursive: true });
  });

  const start = async (environment: Record<string, string> = {}, from = directory) => {
    const started = await startProcess(environment, from);
    running.add(started);
    return started;
  };
  const messagesOf = async (client: SignedInClient, id: string) => {
    const page = await client.json<{ messages: ChatMessage[] }>(
      `/playground/sessions/${id}/messages`,
    );
    return page.messages;
  };
  const pathsOf = async (client: SignedInClient) => {
    const page = await client.json<{ managed_memory_entries?: EntryWire[] }>(entriesPath);
    return (page.managed_memory_entries ?? []).map(({ path }) => path);
  };

  it('prints the address, a link, where the data lie, and a command that works when pasted', async () => {
    const from = join(directory, "Ada's $HOME folder");
    await mkdir(from);
    const { url, link, stdout } = await start({}, from);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(new URL(link).origin).toBe(url);
    expect(stdout()).toContain(join(from, '.minne'));
    expect(stdout()).toContain('demonstration model');
    expect(stdout()).not.toContain('Other machines');

    const command = stdout()
      .split('\n')
      .find((line) => line.trim().startsWith('curl '));
    const pasted = await promisify(execFile)('bash', ['-c', command ?? ''], {
      env: {
        PATH: process.env['PATH'] ?? '',
      },
    });
    expect(JSON.parse(pasted.stdout)).toEqual({ managed_memory_entries: [] });
    const token = await readFile(join(from, '.minne', 'admin-token'), 'utf8');
    expect(stdout()).not.toContain(token.trim());
  });

  it('prints a command that works with a token that was chosen, too', async () => {
    const { stdout } = await start({ MINNE_ADMIN_TOKEN: 'my-own-token' });
    const command = /^ +(curl .*)$/m.exec(stdout())?.[1] ?? '';
    const pasted = await promisify(execFile)('bash', ['-c', command]);
    expect(JSON.parse(pasted.stdout)).toEqual({ managed_memory_entries: [] });
    expect(stdout()).not.toContain('my-own-token');
  });

  it('tells how to have a new link', async () => {
    const { stdout, link } = await start();
    const command = /A new link: (curl .*)$/m.exec(stdout())?.[1] ?? '';
    const pasted = await promisify(execFile)('bash', ['-c', command]);
    const second = String(JSON.parse(pasted.stdout).link);
    expect(second).not.toBe(link);
    const client = await SignedInClient.open(second);
    expect((await client.request('/playground/about')).status).toBe(200);
  });

  it('sends the page and everything that it needs', async () => {
    const { url } = await start();
    const html = await (await fetch(url)).text();
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file ?? '');
    expect(files).toEqual(expect.arrayContaining(['main.js', 'style.css', 'icon.svg']));
    for (const file of files) {
      expect([file, (await fetch(`${url}/${file}`)).status]).toEqual([file, 200]);
    }
    expect(html).not.toMatch(/https?:|\sstyle=|\son\w+=|<script>/);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends in order at %s, an answer under way too',
    async (signal) => {
      const playground = await start();
      const client = await SignedInClient.open(playground.link);
      const id = await client.newSession();
      const answer = await client.request(`/playground/sessions/${id}/messages`, { text: 'Hello' });
      const lines = answer.text();
      await expect.poll(() => messagesOf(client, id)).toHaveLength(1);
      playground.kill(signal);
      expect(await lines).toContain('The answer was stopped.');
      const ending = await playground.ended;
      expect([ending.code, ending.stderr]).toEqual([0, '']);

      const again = await SignedInClient.open((await start()).link);
      expect((await messagesOf(again, id)).map(messageText)[0]).toBe('Hello');
    },
  );

  /** Where in an answer the process is killed: after the line of the stream that has this in it. */
  const killPoints = ['tool-call-start', 'tool-result', 'text-start', 'text-delta'];

  it.each(killPoints)(
    'loses nothing when it is killed in the middle of an answer (%s)',
    async (point) => {
      const first = await start();
      const client = await SignedInClient.open(first.link);
      const [before, during] = [await client.newSession(), await client.newSession()];
      await client.say(before, 'I prefer aisle seats');
      const kept = await messagesOf(client, before);
      const answer = await client.request(`/playground/sessions/${during}/messages`, {
        text: 'My name is Ada',
      });
      const seen = await readUntil(answer, `"type":"${point}"`);
      first.kill('SIGKILL');
      expect((await first.ended).signal).toBe('SIGKILL');

      const again = await SignedInClient.open((await start()).link);
      const { sessions } = await again.json<{ sessions: { title: string }[] }>(
        '/playground/sessions',
      );
      expect(sessions.map(({ title }) => title)).toEqual([
        'My name is Ada',
        'I prefer aisle seats',
      ]);
      expect(await messagesOf(again, before)).toEqual(kept);
      expect((await messagesOf(again, during)).map(messageText)[0]).toBe('My name is Ada');
      const paths = await pathsOf(again);
      expect(paths).toContain('/preferences/seat');
      if (seen.includes('"type":"tool-result"')) expect(paths).toContain('/profile/name');

      const more = await again.say(during, 'What seat do I like?');
      expect(more).toContain('I prefer aisle seats.');
      expect(more).toContain('"type":"finish"');
      const roles = (await messagesOf(again, during)).map(({ role }) => role);
      expect(roles.slice(-4)).toEqual(['user', 'assistant', 'tool', 'assistant']);
    },
  );

  it('talks with a model that speaks as OpenAI does', async () => {
    await using wire = await startOpenAIWire({ apiKey: 'sk-test', models: ['tiny'] });
    wire.script(
      {
        toolCalls: [
          {
            name: 'save_memory',
            arguments: { path: '/preferences/seat', content: 'Prefers aisle seats.' },
          },
        ],
      },
      { text: 'Noted: aisle.' },
    );
    const { link, stdout } = await start({
      OPENAI_API_KEY: 'sk-test',
      OPENAI_BASE_URL: wire.baseUrl,
      OPENAI_MODEL: 'tiny',
    });
    expect(stdout()).toContain(`Model: tiny at ${new URL(wire.baseUrl).host}`);
    const client = await SignedInClient.open(link);
    const id = await client.newSession();
    expect(await client.say(id, 'Aisle, please')).toContain('"text":"Noted: aisle."');
    expect((await messagesOf(client, id)).map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
    ]);
    expect(await pathsOf(client)).toEqual(['/preferences/seat']);

    wire.script(
      { status: 500, body: { error: { message: 'Out of order.' } } },
      { status: 500 },
      { status: 500 },
    );
    const failed = await client.say(id, 'And now?');
    expect(failed.trim().split('\n').at(-1)).toMatch(/"type":"error".*failed \(500\)/);
    expect(failed).not.toContain('sk-test');
    expect((await messagesOf(client, id)).map(messageText).at(-1)).toBe('And now?');
  });

  const failure = async (environment: Record<string, string>, from = directory) => {
    const ending = await runToEnd({ PORT: '0', ...environment }, from);
    expect(ending).toMatchObject({ code: 1, stdout: '' });
    return sentenceOf(ending);
  };

  it('says what to do when the port is in use', async () => {
    const other = createTcpServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    try {
      expect(await failure({ PORT: String(port) })).toMatch(
        new RegExp(`PORT.*${port}.*another port`, 'i'),
      );
    } finally {
      other.close();
    }
  });

  it('says what to do when the data folder cannot be one', async () => {
    const file = join(directory, 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below'), '/proc/minne', '/dev/null']) {
      expect(await failure({ MINNE_DATA_DIR: path })).toContain('MINNE_DATA_DIR');
    }
    expect(await failure({ MINNE_DATA_DIR: 'node_modules/data' })).toContain('node_modules');
  });

  it.each(['memory.sqlite', 'history.sqlite'])(
    'says what to do when %s is damaged',
    async (name) => {
      const data = join(directory, '.minne');
      await mkdir(data, { mode: 0o700 });
      await writeFile(join(data, name), 'this is no database, and long enough to be sure of it');
      const sentence = await failure({});
      expect(sentence).toContain(`${data} cannot be used`);
      expect(sentence).toContain('MINNE_DATA_DIR');
    },
  );

  it('says what to do about a wrong key and a model that cannot be reached', async () => {
    await using wire = await startOpenAIWire({ apiKey: 'sk-right' });
    const wrong = await failure({ OPENAI_API_KEY: 'sk-wrong', OPENAI_BASE_URL: wire.baseUrl });
    expect(wrong).toMatch(/refused the key.*OPENAI_API_KEY/);
    expect(wrong).not.toContain('sk-wrong');

    const nothing = createServer();
    await new Promise<void>((resolve) => nothing.listen(0, '127.0.0.1', resolve));
    const { port } = nothing.address() as AddressInfo;
    await new Promise((resolve) => nothing.close(resolve));
    const unreachable = { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` };
    expect(await failure(unreachable)).toMatch(/cannot be reached.*ECONNREFUSED.*OPENAI_BASE_URL/);
  });

  it.each([
    ['PORT', { PORT: 'eighty' }],
    ['HOST', { HOST: '0.0.0.0' }],
    ['HOST', { HOST: '192.0.2.1', MINNE_ADMIN_TOKEN: 'chosen' }],
    ['MINNE_ADMIN_TOKEN', { MINNE_ADMIN_TOKEN: 'two words' }],
    ['OPENAI_BASE_URL', { OPENAI_BASE_URL: 'nowhere' }],
  ])('names %s when it is wrong', async (name, environment) => {
    expect(await failure(environment)).toContain(name);
  });

  it('lets other machines in with a token that was chosen, under its own names only', async () => {
    const { stdout } = await start({ HOST: '0.0.0.0', MINNE_ADMIN_TOKEN: 'chosen' });
    const url = /^Minne listens at (\S+)$/m.exec(stdout())?.[1] ?? '';
    expect(stdout()).toContain('Other machines can reach it');
    const headers = { Authorization: 'Bearer chosen' };
    expect((await fetch(`${url}${entriesPath}`, { headers })).status).toBe(200);
    const command = `curl -s -o /dev/null -w '%{http_code}' -H 'Host: evil.example' '${url}/'`;
    expect((await promisify(execFile)('bash', ['-c', command])).stdout).toBe('403');
  });
});

/** What was printed, which must be sentences and no stack trace. */
function sentenceOf({ stderr }: Ending): string {
  expect(stderr).not.toMatch(/^\s+at |\.js:\d+|Node\.js v\d|\{$/m);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  return stderr;
}

/** Reads a stream of text as far as something stands in it, and leaves it open. */
async function readUntil(response: Response, wanted: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(wanted)) {
    const piece = await reader?.read();
    if (piece === undefined || piece.done) throw new Error(`"${wanted}" never came: ${text}`);
    text += piece.value;
  }
  return text;
}
