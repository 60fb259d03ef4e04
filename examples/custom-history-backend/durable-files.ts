import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces or makes a file: it has the old content or the new, whenever the machine stops. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Adds to a file after its first `size` bytes; a rest that a killed process left there goes. */
export async function appendWhole(path: string, size: number, text: string): Promise<void> {
  const file = await open(path, 'a', 0o600);
  try {
    await file.truncate(size);
    await file.appendFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (size === 0) await syncFolder(dirname(path));
}

/** Deletes files, and what a killed {@link writeWhole} left of them. */
export async function removeFiles(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await rm(path, { force: true });
    await rm(`${path}.tmp`, { force: true });
  }
  await syncFolder(folder);
}

/** Makes it last that files of this folder were made, renamed or deleted. */
export async function syncFolder(path: string): Promise<void> {
  // Windows has no such thing and does it by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Whether this is an error of the system with such a code, as `ENOENT`. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is Error {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** For `catch`: this value when a file or folder is not there. Other errors go on. */
export function ifMissing<T>(value: T): (error: unknown) => T {
  return (error) => {
    if (hasCode(error, 'ENOENT')) return value;
    throw error;
  };
}
