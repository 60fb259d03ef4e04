import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { root } from './support/repository.js';

const run = promisify(execFile);

describe('examples/', () => {
  let directory: string;
  let model: OpenAIWireServer;

  beforeAll(async () => {
    const turbo = join(root, 'node_modules/turbo/bin/turbo');
    const names = [
      'service-history',
      'local-history',
      'local-model',
      'reduced-history',
      'custom-history-backend',
    ];
    const filters = names.map((name) => `--filter=@minne/example-${name}^...`);
    // The examples run on what is published, not on the sources as the other tests do.
    await run(process.execPath, [turbo, 'run', 'build', ...filters], { cwd: root });
  }, 120_000);

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'minne-examples-'));
    model = await startOpenAIWire();
  });

  afterEach(async () => {
    await model.close();
    await rm(directory, { recursive: true });
  });

  /** Runs an example in a process of its own and returns what it printed. */
  async function ask(example: string, ...texts: string[]): Promise<string> {
    const file = join(root, 'examples', example, 'index.ts');
    const { stdout } = await run(process.execPath, [file, ...texts], {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        OPENAI_BASE_URL: model.baseUrl,
        ...(example === 'local-model' ? {} : { OPENAI_API_KEY: 'key-of-the-test' }),
      },
    });
    return stdout;
  }

  const bodies = () => model.requests.map(({ body }) => body as Record<string, unknown>);
  const effective = () => model.requests.map(({ effectiveInput }) => effectiveInput?.length);
  const sent = () => bodies().map(({ input }) => (input as readonly unknown[]).length);

  it('service-history goes on in a second process with only the question, until it is cleared', async () => {
    model.script({ text: 'Noted.' }, { text: 'By the window.' }, { text: 'Who are you?' });
    expect(await ask('service-history', 'I want a window seat.')).toBe('Noted.\n');
    expect(await ask('service-history', 'Which seat?')).toBe('By the window.\n');
    expect(await ask('service-history', '/clear')).toBe('');
    expect(await ask('service-history', 'Which seat?')).toBe('Who are you?\n');
    expect(sent()).toEqual([1, 1, 1]);
    expect(effective()).toEqual([1, 3, 1]);
  }, 30_000);

  it('local-history sends the conversation from its file, and has the service store nothing', async () => {
    model.script({ text: 'Noted.' }, { text: 'By the window.' }, { text: 'Who are you?' });
    expect(await ask('local-history', 'I want a window seat.')).toBe('Noted.\n');
    expect(await ask('local-history', 'Which seat?')).toBe('By the window.\n');
    expect(await ask('local-history', '/clear')).toBe('');
    expect(await ask('local-history', 'Which seat?')).toBe('Who are you?\n');
    expect(sent()).toEqual([1, 3, 1]);
    expect(bodies().map(({ store }) => store)).toEqual([false, false, false]);
  }, 30_000);

  it('local-model talks with a server that needs no key and knows only the older names', async () => {
    model.script({ text: 'Hej Kim!' }, { text: 'Kim.' });
    expect(await ask('local-model', 'I am Kim.', 'What is my name?')).toBe('Hej Kim!\nKim.\n');
    expect(bodies()[1]).toMatchObject({
      model: 'qwen3',
      max_tokens: 1000,
      messages: [{ content: 'I am Kim.' }, { content: 'Hej Kim!' }, { role: 'user' }],
    });
  }, 30_000);

  it('reduced-history never sends more than its window, and stores everything', async () => {
    const printed = await ask('reduced-history', '60');
    const seen = [...printed.matchAll(/I see (\d+) messages/g)].map(([, count]) => Number(count));
    expect(seen).toHaveLength(60);
    expect(Math.max(...seen)).toBe(21);
    expect(Math.min(...seen.slice(10))).toBeGreaterThan(9);
    expect(printed).toContain('message_counting: kept 10 of 22 messages, dropped 12.');
    expect(printed).toMatch(/\nStored: all 120 messages\.\n$/);
    expect(model.requests).toEqual([]);
  }, 30_000);

  it('custom-history-backend goes on from its file in a second process, until it is cleared', async () => {
    expect(await ask('custom-history-backend', 'Hello!')).toBe('I see 1 messages.\n');
    expect(await ask('custom-history-backend', 'And now?')).toBe('I see 3 messages.\n');
    expect(await ask('custom-history-backend', '/clear')).toBe('');
    expect(await ask('custom-history-backend', 'And now?')).toBe('I see 1 messages.\n');
  }, 30_000);
});
