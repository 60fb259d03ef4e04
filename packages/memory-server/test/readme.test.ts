import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startServer } from './test-server.js';

/** Runs a shell script to its end and gives the lines that it wrote. */
async function run(script: string, environment: Record<string, string>): Promise<string[]> {
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  shell.stdout.on('data', (data) => {
    output += data;
  });
  shell.stderr.on('data', (data) => {
    errors += data;
  });
  const exit = Promise.withResolvers<number | null>();
  shell.once('error', exit.reject);
  shell.once('close', exit.resolve);
  expect({ code: await exit.promise, errors }).toEqual({ code: 0, errors: '' });
  return output.trim().split('\n');
}

test('the calls in the README do what it says', async () => {
  const { url } = await startServer();
  const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');
  const script = /```sh\n(api=[\s\S]+?)```/.exec(readme)?.[1];
  if (script === undefined) throw new Error('The README holds no calls.');
  const answers = await run(script, { MINNE_URL: url, MINNE_TOKEN: 'alma-token' });
  const seat = { name: 'memory-stores/notes/entries/seat', path: '/preferences/seat' };
  const changed = { ...seat, content: 'Kim prefers an aisle seat now.' };
  expect(answers.map((answer) => JSON.parse(answer))).toMatchObject([
    { name: 'memory-stores/notes', description: 'What we know' },
    { ...seat, content: 'Kim likes a window seat.' },
    { error_code: 'ALREADY_EXISTS', details: [{ managed_memory_entry: seat.name }] },
    { managed_memory_entries: [{ ...seat, content: 'Kim likes a window seat.' }] },
    changed,
    { results: [{ managed_memory_entry: changed }], managed_memory_entries: [changed] },
    {},
  ]);
});
