import { randomUUID } from 'node:crypto';
import { link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { StoreError } from '@minne/core';
import { hasCode } from '#durable-files';
import { packageName } from '#package-name';

/** How long a call waits for the lock before it gives up, in milliseconds. */
const lockTimeout = 10_000;

/** The last call of this process to each folder, so that calls take turns without asking the disk. */
const queues = new Map<string, Promise<unknown>>();

/**
 * Does `work` while nobody else who asks for the lock of this folder does any: no other call, no other
 * thread and no other process of this machine. A lock whose process is gone is taken over.
 *
 * @throws StoreError, retryable, when the lock is not free within ten seconds.
 */
export async function withFolderLock<T>(
  folder: string,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + lockTimeout;
  const turn = (queues.get(folder) ?? Promise.resolve()).then(async () => {
    const path = join(folder, 'lock');
    await acquire(path, end, signal);
    try {
      return await work();
    } finally {
      await rm(path);
    }
  });
  // Who comes next waits for the end, whatever it is; the error is for the caller of this one.
  const ended = turn.then(
    () => {},
    () => {},
  );
  queues.set(folder, ended);
  try {
    return await turn;
  } finally {
    if (queues.get(folder) === ended) queues.delete(folder);
  }
}

async function acquire(path: string, end: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const mine = `${path}.${randomUUID()}`;
  try {
    // Written first and linked then: a lock never lacks the number of its process, wherever we are killed.
    await writeFile(mine, String(process.pid));
    while (!(await linked(mine, path))) {
      if (await isAbandoned(path)) await takeOver(path, mine);
      else if (performance.now() > end) {
        throw new StoreError(
          `${path} was not free for ${lockTimeout} ms. Try again; if no process uses the folder, delete ${path} and ${path}.takeover.`,
          { packageName, retryable: true },
        );
      } else await setTimeout(2 + Math.random() * 4, undefined, { signal });
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await rm(mine, { force: true });
  }
}

/** Removes an abandoned lock. Only one at a time may, or the second would remove the lock of the first. */
async function takeOver(path: string, mine: string): Promise<void> {
  const guard = `${path}.takeover`;
  if (!(await linked(mine, guard))) return void (await setTimeout(5));
  try {
    if (await isAbandoned(path)) await rm(path);
  } finally {
    await rm(guard);
  }
}

async function linked(existing: string, path: string): Promise<boolean> {
  try {
    await link(existing, path);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const pid = Number(await readFile(path, 'utf8'));
    const { mtimeMs } = await stat(path);
    // Numbers of processes come again, after a restart of the machine or of a container.
    const age = pid === process.pid ? process.uptime() : uptime();
    if (mtimeMs < Date.now() - age * 1000) return true;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'EPERM')) return false;
    if (hasCode(error, 'ESRCH')) return true;
    throw error;
  }
}
