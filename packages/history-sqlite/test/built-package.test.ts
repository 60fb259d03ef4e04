import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TemporaryStore, temporaryStore } from './temporary-store.js';

const run = promisify(execFile);
const packages = fileURLToPath(new URL('../../', import.meta.url));

const script = `
  import { ConflictError } from '@minne/core';
  import { SqliteHistoryBackend } from '@minne/history-sqlite';
  const backend = new SqliteHistoryBackend({ path: process.argv.at(-1), worker: true });
  const key = { sessionId: 's', sourceId: 'history', actorId: 'kim' };
  const record = (id) => ({ v: 1, id, group: id, kind: 'user', payload: id });
  const ids = Array.from({ length: 2000 }, (_, index) => 'm' + index);
  await backend.append(key, ids.map(record));
  const { records, version } = await backend.load(key);
  const conflict = await backend.replace(key, [], { version: 'x' }).catch((error) => error);
  const listed = await Array.fromAsync(backend.list({ actorId: 'kim' }));
  console.log(records.length, version, conflict instanceof ConflictError, listed.length);
  if (process.argv.includes('close')) await backend.close();
`;

describe('the package as it is installed', () => {
  let store: TemporaryStore;
  beforeAll(() => {
    store = temporaryStore();
    for (const name of ['core', 'sqlite', 'history-sqlite']) install(name, store.folder);
    writeFileSync(join(store.folder, 'script.mjs'), script);
  });
  afterAll(() => store.remove());

  it.each([
    ['a file', ['script.mjs', 'close']],
    ['a file, and the thread left open', ['script.mjs']],
    ['the command line', ['--input-type=module', '--eval', script, 'close']],
    [
      'a process with options of its own',
      ['--max-old-space-size=512', '--expose-gc', 'script.mjs'],
    ],
  ])(
    'runs its worker, started from %s',
    async (_, command) => {
      const { stdout, stderr } = await run(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', ...command, `${store.path}.${command.length}`],
        { cwd: store.folder, env: { ...process.env, NODE_OPTIONS: '' } },
      );
      expect({ stdout, stderr }).toEqual({ stdout: '2000 1 true 1\n', stderr: '' });
    },
    60_000,
  );
});

/** Puts a package into `node_modules` with what the build makes of it: its sources without types. */
function install(name: string, folder: string): void {
  const target = join(folder, 'node_modules', '@minne', name);
  mkdirSync(target, { recursive: true });
  cpSync(join(packages, name, 'package.json'), join(target, 'package.json'));
  const sources = join(packages, name, 'src');
  for (const path of globSync('**/*.ts', { cwd: sources })) {
    const built = join(target, 'dist', path.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(built), { recursive: true });
    writeFileSync(built, stripTypeScriptTypes(readFileSync(join(sources, path), 'utf8')));
  }
}
