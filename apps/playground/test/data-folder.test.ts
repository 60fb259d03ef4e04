import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDataFolder } from '../src/data-folder.js';

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('the data folder', () => {
  let parent: string;
  let path: string;
  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'minne-folder-'));
    path = join(parent, 'deep', '.minne');
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('is made for its owner alone, with a token that nobody else can read', async () => {
    const folder = await openDataFolder(path);
    expect(await modeOf(path)).toBe(0o700);
    expect(await modeOf(folder.tokenPath)).toBe(0o600);
    expect(folder.adminToken).toMatch(/^[\w-]{43}$/);
    expect(await readFile(folder.tokenPath, 'utf8')).toBe(`${folder.adminToken}\n`);
    expect(folder.warnings).toEqual([]);
    expect(await readdir(path)).toEqual(['admin-token']);
  });

  it('keeps its token from start to start', async () => {
    const first = await openDataFolder(path);
    expect((await openDataFolder(path)).adminToken).toBe(first.adminToken);
  });

  it('has one token when two processes start at once', async () => {
    const folders = await Promise.all(Array.from({ length: 8 }, () => openDataFolder(path)));
    expect(new Set(folders.map(({ adminToken }) => adminToken)).size).toBe(1);
    expect(await readdir(path)).toEqual(['admin-token']);
  });

  it('keeps a token that was chosen, so that the printed command works', async () => {
    await openDataFolder(path);
    const folder = await openDataFolder(path, 'chosen-token');
    expect(folder.adminToken).toBe('chosen-token');
    expect(await readFile(folder.tokenPath, 'utf8')).toBe('chosen-token\n');
    expect(await modeOf(folder.tokenPath)).toBe(0o600);
    expect((await openDataFolder(path)).adminToken).toBe('chosen-token');
  });

  it('closes a token file that others can read, and says so', async () => {
    const { tokenPath } = await openDataFolder(path);
    await chmod(tokenPath, 0o644);
    const folder = await openDataFolder(path);
    expect(await modeOf(tokenPath)).toBe(0o600);
    expect(folder.warnings).toEqual([expect.stringContaining(tokenPath)]);
  });

  it('closes itself again when it was opened to others', async () => {
    await openDataFolder(path);
    await chmod(path, 0o755);
    await openDataFolder(path);
    expect(await modeOf(path)).toBe(0o700);
  });

  it('leaves a folder of others alone', async () => {
    await mkdir(path, { recursive: true });
    await chmod(path, 0o755);
    await writeFile(join(path, 'thesis.txt'), 'mine');
    await expect(openDataFolder(path)).rejects.toThrow(/^MINNE_DATA_DIR .*chmod 700/);
    expect(await modeOf(path)).toBe(0o755);
    expect(await readdir(path)).toEqual(['thesis.txt']);
  });

  it('says what to do when it cannot be one', async () => {
    await writeFile(join(parent, 'deep'), 'a file');
    await expect(openDataFolder(path)).rejects.toThrow(/cannot be used .*Set MINNE_DATA_DIR/);
    await expect(openDataFolder('/proc/minne')).rejects.toThrow(/Set MINNE_DATA_DIR/);
  });

  it.each(['', ' \n', 'two words\n'])('does not run with the damaged token %j', async (text) => {
    const { tokenPath } = await openDataFolder(path);
    await writeFile(tokenPath, text);
    await expect(openDataFolder(path)).rejects.toThrow(/holds no token. Delete the file/);
    expect((await openDataFolder(path, 'chosen')).adminToken).toBe('chosen');
  });
});
