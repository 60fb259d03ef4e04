import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigurationError, type SerializedSession, type Warning } from '@minne/core';
import { describe, expect, it, vi } from 'vitest';
import { FileSessionStore } from '../src/index.js';
import { newVersion, SessionFolder } from '../src/session-folder.js';
import { damageSession, sessionFile } from './damage-session.js';
import { temporaryFolder } from './temporary-folder.js';

describe('the files of a session', () => {
  it('lie in the folder, whatever the id is', async () => {
    const folder = temporaryFolder();
    const store = new FileSessionStore({ folder });
    const ids = ['../../evil', '/etc/passwd', 'C:\\x', 'CON', 'x'.repeat(256), '..', 'a/b', '🙂'];
    for (const id of ids) await store.set(sessionOf(id));
    expect(readdirSync(dirname(folder))).toEqual([basename(folder)]);
    const names = readdirSync(folder);
    expect(names.length).toBe(ids.length);
    for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{39,72}$/);
    expect(globSync('**/*', { cwd: folder }).length).toBe(ids.length * 3);
  });

  it('can be read by their owner only', async () => {
    const folder = temporaryFolder();
    const store = new FileSessionStore({ folder });
    await store.set(sessionOf('session'));
    await store.set(sessionOf('session', { second: {} }));
    const modes = ['.', ...globSync('**/*', { cwd: folder })].map((path) => {
      const found = statSync(join(folder, path));
      return [found.isDirectory(), found.mode & 0o777];
    });
    expect(modes).toEqual(modes.map(([isFolder]) => [isFolder, isFolder ? 0o700 : 0o600]));
    expect(modes.length).toBe(4);
  });

  it('hold the session as JSON, and nothing of an earlier one', async () => {
    const folder = temporaryFolder();
    const store = new FileSessionStore({ folder });
    await store.set(sessionOf('session', { notes: { text: 'a secret' } }));
    const session = sessionOf('session', { notes: { text: 'nothing' } });
    await store.set(session);
    const files = globSync('*/*.json', { cwd: folder });
    expect(files.length).toBe(1);
    expect(JSON.parse(readFileSync(join(folder, files[0] ?? ''), 'utf8'))).toEqual({
      layout: 1,
      session,
    });
  });

  it('are made where the folder and those above it are missing, by the first write', async () => {
    const folder = join(temporaryFolder(), 'a', 'b');
    const store = new FileSessionStore({ folder });
    expect(await store.get('session')).toBeUndefined();
    expect(await Array.fromAsync(store.list())).toEqual([]);
    expect(existsSync(folder)).toBe(false);
    await store.set(sessionOf('session'));
    expect(await store.get('session')).toBeDefined();
  });

  it('do not disturb others in the folder, nor others them', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'notes'), { recursive: true });
    writeFileSync(join(folder, 'README.md'), 'mine');
    const store = new FileSessionStore({ folder });
    await store.set(sessionOf('session'));
    expect((await Array.fromAsync(store.list())).length).toBe(1);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
  });
});

describe('a writer that was stopped for a while', () => {
  it('does not win late, however many have written since', async () => {
    const folder = temporaryFolder();
    const store = new FileSessionStore({ folder });
    await store.set(sessionOf('session', { by: { first: true } }));
    const [name = ''] = readdirSync(folder);
    const own = new SessionFolder(join(folder, name));
    const seen = await own.look();
    if (seen === 'unknown' || seen === undefined) expect.fail('The session is there.');
    await store.set(sessionOf('session', { by: { second: true } }));
    const third = await store.set(sessionOf('session', { by: { third: true } }));
    expect(await own.replace(seen, newVersion(seen.time + 1), 'late')).toBe(false);
    expect((await store.get('session'))?.version).toBe(third.version);
    await store.delete('session');
    expect(await own.replace(seen, newVersion(seen.time + 1), 'late')).toBe(false);
    await store.set(sessionOf('session', { by: { fourth: true } }));
    expect(await own.replace(seen, newVersion(seen.time + 1), 'late')).toBe(false);
    expect((await store.get('session'))?.session).toEqual(
      sessionOf('session', { by: { fourth: true } }),
    );
    expect(readdirSync(own.path).length).toBe(2);
  });
});

describe('a file that cannot be read', () => {
  const damages: Readonly<Record<string, (file: string) => void>> = {
    cut: (file) => writeFileSync(file, readFileSync(file).subarray(0, 20)),
    empty: (file) => writeFileSync(file, ''),
    'no UTF-8': (file) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
    'another JSON': (file) => writeFileSync(file, '[]'),
    'no session': (file) => writeFileSync(file, '{"layout":1,"session":{"type":"minne.session"}}'),
    'of another session': (file) =>
      writeFileSync(file, JSON.stringify({ layout: 1, session: sessionOf('another') })),
    gone: (file) => unlinkSync(file),
  };

  it.each(Object.keys(damages))('(%s) is set aside, and told of once', async (kind) => {
    const { store, folder, warnings } = observed();
    await store.set(sessionOf('session'));
    await store.set(sessionOf('other'));
    const file = sessionFile(folder, 'session');
    damages[kind]?.(file);
    expect((await Array.fromAsync(store.list())).map(({ sessionId }) => sessionId)).toEqual([
      'other',
    ]);
    expect(await store.get('session')).toBeUndefined();
    const aside = file.replace(/json$/, 'damaged');
    expect(warnings).toEqual([
      { code: 'damaged_session', message: expect.stringContaining(aside) },
    ]);
    expect(existsSync(aside)).toBe(kind !== 'gone');
    const { version } = await store.set(sessionOf('session'), { version: null });
    expect((await store.get('session'))?.version).toBe(version);
    expect(warnings.length).toBe(1);
  });

  it('is told of by the process when nobody listens', async () => {
    const folder = temporaryFolder();
    const store = new FileSessionStore({ folder });
    await store.set(sessionOf('session'));
    damageSession(folder, 'session');
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    expect(await store.get('session')).toBeUndefined();
    expect(await warned).toMatchObject({ name: 'MinneWarning', code: 'damaged_session' });
  });

  it('is deleted with its session', async () => {
    const { store, folder } = observed();
    await store.set(sessionOf('session'));
    damageSession(folder, 'session');
    expect(await store.get('session')).toBeUndefined();
    expect(await store.delete('session')).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('is refused and left alone when a newer version wrote it', async () => {
    const { store, folder, warnings } = observed();
    await store.set(sessionOf('session'));
    const file = sessionFile(folder, 'session');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"layout":1', '"layout":2'));
    await expect(store.get('session')).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/layout 2.*Update @minne\/session-file/),
    });
    expect(existsSync(file)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it('is an error, and left out of lists, when the pointer is missing', async () => {
    const { store, folder, warnings } = observed();
    await store.set(sessionOf('session'));
    await store.set(sessionOf('other'));
    const own = dirname(sessionFile(folder, 'session'));
    for (const name of readdirSync(own)) {
      if (name.startsWith('current-')) unlinkSync(join(own, name));
    }
    const refusal = { code: 'store_failed', message: expect.stringContaining(own) };
    await expect(store.get('session')).rejects.toMatchObject(refusal);
    await expect(store.set(sessionOf('session'))).rejects.toMatchObject(refusal);
    expect((await Array.fromAsync(store.list())).length).toBe(1);
    expect(warnings).toEqual([{ code: 'unknown_folder', message: expect.stringContaining(own) }]);
    await store.delete('session');
    await store.set(sessionOf('session'), { version: null });
    expect(await store.get('session')).toBeDefined();
  });
});

describe('what killed processes leave', () => {
  it('is removed: folders half made or half deleted, but not those of processes at work', async () => {
    const folder = temporaryFolder();
    await new FileSessionStore({ folder }).set(sessionOf('session'));
    const [session = ''] = readdirSync(folder);
    const old = Date.now() - 3_600_000;
    for (const kind of ['new', 'trash']) {
      for (const [time, digits] of [
        [old, '0123456789abcdef'],
        [Date.now(), 'fedcba9876543210'],
      ] as const) {
        mkdirSync(join(folder, `.${kind}-${time}-${digits}`));
        writeFileSync(join(folder, `.${kind}-${time}-${digits}`, 'file'), 'text');
      }
    }
    const store = new FileSessionStore({ folder });
    expect((await Array.fromAsync(store.list())).length).toBe(1);
    const left = readdirSync(folder).filter((name) => name !== session);
    expect(left.map((name) => name.replace(/-\d+-/, '-'))).toEqual([
      '.new-fedcba9876543210',
      '.trash-fedcba9876543210',
    ]);
  });

  it('is removed: files that never came to count', async () => {
    const folder = temporaryFolder();
    const store = new FileSessionStore({ folder });
    await store.set(sessionOf('session'));
    const file = sessionFile(folder, 'session');
    const half = join(dirname(file), `${Date.now() - 1}-0123456789abcdef.json`);
    writeFileSync(half, '{"layout":1,"session":{"type":"minne.ses');
    expect((await store.get('session'))?.session).toEqual(sessionOf('session'));
    await store.set(sessionOf('session'));
    expect(existsSync(half)).toBe(false);
    expect(readdirSync(dirname(file)).length).toBe(2);
  });
});

describe('the options', () => {
  it('are refused when no session can be kept there', () => {
    for (const folder of ['', 'a\0b', 'node_modules/.cache/sessions']) {
      const make = () => new FileSessionStore({ folder });
      expect(make, JSON.stringify(folder)).toThrow(ConfigurationError);
      expect(make).toThrow(expect.objectContaining({ field: 'folder' }));
    }
  });

  it('name a file by mistake: an error that says so', async () => {
    const folder = temporaryFolder();
    writeFileSync(folder, 'a file');
    const store = new FileSessionStore({ folder });
    const refusal = { code: 'store_failed', message: expect.stringMatching(/option folder/) };
    await expect(store.get('session')).rejects.toMatchObject(refusal);
    await expect(store.set(sessionOf('session'))).rejects.toMatchObject(refusal);
    expect(readFileSync(folder, 'utf8')).toBe('a file');
  });

  it('give the clock', async () => {
    const clock = vi.fn(() => new Date('2026-05-01T10:00:00.000Z'));
    const store = new FileSessionStore({ folder: temporaryFolder(), clock });
    expect((await store.set(sessionOf('session'))).updatedAt).toBe('2026-05-01T10:00:00.000Z');
    expect((await store.set(sessionOf('session'))).updatedAt).toBe('2026-05-01T10:00:00.001Z');
  });

  it('give a folder that may be moved', async () => {
    const folder = temporaryFolder();
    await new FileSessionStore({ folder }).set(sessionOf('session'));
    renameSync(folder, `${folder}-moved`);
    const store = new FileSessionStore({ folder: `${folder}-moved` });
    expect((await store.get('session'))?.session).toEqual(sessionOf('session'));
  });
});

function sessionOf(sessionId: string, state: SerializedSession['state'] = {}): SerializedSession {
  return { type: 'minne.session', v: 1, sessionId, state };
}

function observed() {
  const folder = temporaryFolder();
  const warnings: Warning[] = [];
  const store = new FileSessionStore({ folder, onDiagnostic: (one) => warnings.push(one) });
  return { folder, store, warnings };
}
