import { constants, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '@minne/core';
import { ifMissing, syncFolder } from '#durable-files';
import { packageName } from '#package-name';

/**
 * The highest number ever used in this folder, for sequences, versions and the order of writes: it outlives
 * histories, so that none comes again when one is cleared and begun anew. Only under the lock of the folder.
 */
export async function readCounter(folder: string): Promise<number> {
  const path = join(folder, 'counter');
  const text = await readFile(path, 'utf8').catch(ifMissing('0'));
  const counter = text === '' ? 0 : Number(text);
  if (Number.isSafeInteger(counter) && counter >= 0) return counter;
  throw new StoreError(
    `${path} holds no whole number. Write one into it that no file of the folder has reached.`,
    { packageName },
  );
}

/** Sets the counter, before what is numbered by it is written. */
export async function writeCounter(folder: string, counter: number): Promise<void> {
  const file = await open(join(folder, 'counter'), constants.O_RDWR | constants.O_CREAT, 0o600);
  try {
    const { size } = await file.stat();
    // Always as long, and in place: it is never shorter or empty in between, as a rewritten file would be.
    await file.write(String(counter).padStart(16, '0'), 0);
    await file.sync();
    if (size === 0) await syncFolder(folder);
  } finally {
    await file.close();
  }
}
