import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readText, root } from './support/repository.js';

const run = promisify(execFile);
const example = 'examples/quickstart/index.ts';

describe('examples/quickstart', () => {
  let directory: string;
  let model: OpenAIWireServer;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'minne-quickstart-'));
    model = await startOpenAIWire({ apiKey: 'key-of-the-test' });
    const turbo = join(root, 'node_modules/turbo/bin/turbo');
    // The example runs on what is published, not on the sources as the other tests do.
    await run(process.execPath, [turbo, 'run', 'build', '--filter=@minne/example-quickstart^...'], {
      cwd: root,
    });
  }, 120_000);

  afterAll(async () => {
    await model.close();
    await rm(directory, { recursive: true });
  });

  /** Runs the example in a process of its own and returns what it printed. */
  async function ask(text: string): Promise<string> {
    const { stdout } = await run(process.execPath, [join(root, example), text], {
      cwd: directory,
      env: {
        PATH: process.env['PATH'],
        OPENAI_API_KEY: 'key-of-the-test',
        OPENAI_BASE_URL: model.baseUrl,
      },
    });
    return stdout;
  }

  it('has fewer than 30 lines', () => {
    expect(readText(example).trimEnd().split('\n').length).toBeLessThan(30);
  });

  it('remembers in a second process what was said and saved in the first', async () => {
    model.script(
      {
        toolCalls: [
          {
            name: 'save_memory',
            arguments: { path: '/preferences/seat', content: 'Kim wants a window seat.' },
          },
        ],
      },
      { text: 'Noted.' },
    );
    expect(await ask('On trains I want a window seat.')).toBe('Noted.\n');
    const before = model.requests.length;

    model.script(
      { toolCalls: [{ name: 'search_memory', arguments: { query: 'seat on trains' } }] },
      { text: 'By the window.' },
    );
    expect(await ask('Which seat?')).toBe('By the window.\n');

    const [first, second] = model.requests.slice(before).map(({ body }) => messagesOf(body));
    expect(first).toEqual([
      expect.objectContaining({ role: expect.stringMatching(/^(system|developer)$/) }),
      expect.objectContaining({ role: 'user', content: 'On trains I want a window seat.' }),
      expect.objectContaining({ role: 'assistant' }),
      expect.objectContaining({ role: 'tool', content: 'Saved at /preferences/seat.' }),
      expect.objectContaining({ role: 'assistant', content: 'Noted.' }),
      expect.objectContaining({ role: 'user', content: 'Which seat?' }),
    ]);
    expect(second?.at(-1)).toEqual(
      expect.objectContaining({
        role: 'tool',
        content: expect.stringContaining('Kim wants a window seat.'),
      }),
    );
    // Not in `.minne`: the playground refuses a folder of that name that is not its own.
    expect(await readdir(directory)).toEqual(['quickstart-data']);
  }, 30_000);
});

function messagesOf(body: unknown): readonly unknown[] {
  return (body as { readonly messages: readonly unknown[] }).messages;
}
