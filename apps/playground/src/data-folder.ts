import { randomBytes } from 'node:crypto';
import { chmod, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConfigurationError } from '@minne/core';

const tokenFileName = 'admin-token';
const historyFileName = 'history.sqlite';
const memoryFileName = 'memory.sqlite';

/** The folder that keeps the conversations, the memories and the admin token. */
export interface DataFolder {
  readonly path: string;
  readonly historyPath: string;
  readonly memoryPath: string;
  /** Mode 600; holds the token and a line break. */
  readonly tokenPath: string;
  readonly adminToken: string;
  /** What the person should know: a mode that had to be narrowed. */
  readonly warnings: readonly string[];
}

/**
 * Makes the folder when it is missing, sees that only its owner can enter it, and settles the admin
 * token: a given one is kept, otherwise the kept one counts, otherwise a new one is made.
 *
 * @throws ConfigurationError that says what is wrong with the folder and what to do.
 */
export async function openDataFolder(path: string, givenToken?: string): Promise<DataFolder> {
  try {
    await closeToOthers(path);
    const tokenPath = join(path, tokenFileName);
    const warnings = await narrowTokenFile(tokenPath);
    if (givenToken !== undefined) await rename(await writeAside(tokenPath, givenToken), tokenPath);
    const kept = await readToken(tokenPath);
    return {
      path,
      historyPath: join(path, historyFileName),
      memoryPath: join(path, memoryFileName),
      tokenPath,
      adminToken: kept ?? (await makeToken(tokenPath)),
      warnings,
    };
  } catch (error) {
    if (ConfigurationError.isInstance(error)) throw error;
    throw unusable(path, error);
  }
}

/** The folder is ours alone. One that holds somebody else's files keeps its mode and is refused. */
async function closeToOthers(path: string): Promise<void> {
  await makeFolder(path);
  const { mode } = await stat(path);
  if (!opensToOthers(mode)) return;
  const names = await readdir(path);
  if (names.length > 0 && !names.includes(tokenFileName)) {
    throw wrongFolder(
      `MINNE_DATA_DIR leads to ${path}, which holds other files and is open to other users. Give a new folder, or close this one with: chmod 700 '${path}'`,
    );
  }
  await chmod(path, 0o700);
}

/** `mkdir` with `recursive` never ends where the system refuses with ENOENT, as below /proc. */
async function makeFolder(path: string): Promise<void> {
  const make = () =>
    mkdir(path, { mode: 0o700 }).catch(async (error: unknown) => {
      if (!hasCode(error, 'EEXIST') || !(await stat(path)).isDirectory()) throw error;
    });
  const parent = dirname(path);
  try {
    await make();
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || parent === path) throw error;
    await makeFolder(parent);
    await make();
  }
}

async function narrowTokenFile(tokenPath: string): Promise<string[]> {
  const found = await stat(tokenPath).catch(absent);
  if (found === undefined || !opensToOthers(found.mode)) return [];
  await chmod(tokenPath, 0o600);
  return [
    `Other users could read ${tokenPath}; they no longer can. If one may have, delete the file and start again to get a new token.`,
  ];
}

async function readToken(tokenPath: string): Promise<string | undefined> {
  const text = await readFile(tokenPath, 'utf8').catch(absent);
  if (text === undefined) return undefined;
  const token = text.trim();
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw wrongFolder(
      `${tokenPath} holds no token. Delete the file and start again to get a new one.`,
    );
  }
  return token;
}

/** Of two processes that start at once, both end with the token of the one that was first. */
async function makeToken(tokenPath: string): Promise<string> {
  const temporaryPath = await writeAside(tokenPath, randomBytes(32).toString('base64url'));
  try {
    await link(temporaryPath, tokenPath);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(temporaryPath);
  }
  const token = await readToken(tokenPath);
  if (token === undefined) throw wrongFolder(`${tokenPath} vanished while it was made.`);
  return token;
}

/** Writes a whole file before it gets its name, so that a crash leaves no half token. */
async function writeAside(tokenPath: string, token: string): Promise<string> {
  const temporaryPath = `${tokenPath}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporaryPath, 'wx', 0o600);
  try {
    await file.writeFile(`${token}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporaryPath;
}

function opensToOthers(mode: number): boolean {
  // Windows has no such modes and reports them all as set.
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}

function absent(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function unusable(path: string, cause: unknown): ConfigurationError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return wrongFolder(
    `The data folder ${path} cannot be used (${reason}). Set MINNE_DATA_DIR to a folder in which you may write.`,
    cause,
  );
}

function wrongFolder(message: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(message, {
    packageName: '@minne/playground',
    field: 'MINNE_DATA_DIR',
    cause,
  });
}
