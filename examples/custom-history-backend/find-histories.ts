import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { HistoryListing } from '@minne/core';
import { ifMissing } from '#durable-files';
import { readHistoryFile } from '#history-file';

/** A history that was found in the folder. */
export interface FoundHistory {
  readonly path: string;
  /** The number of its last write. */
  readonly number: number;
  /** `undefined` when its first line, which has its key, cannot be read. */
  readonly listing: HistoryListing | undefined;
}

/** What {@link findHistories} found. */
export interface FoundHistories {
  /** In no order. */
  readonly found: readonly FoundHistory[];
  /** Files with nothing but the rest of a write; that of a killed one when the folder is locked. */
  readonly leftovers: readonly string[];
}

/** The histories of an actor. Reads every file of the folder, one at a time. */
export async function findHistories(
  folder: string,
  actorId: string,
  signal: AbortSignal | undefined,
): Promise<FoundHistories> {
  const found: FoundHistory[] = [];
  const leftovers: string[] = [];
  for (const name of await readdir(folder).catch(ifMissing([]))) {
    signal?.throwIfAborted();
    const path = join(folder, name);
    if (name.endsWith('.jsonl.tmp')) leftovers.push(path);
    if (!name.endsWith('.jsonl')) continue;
    const { head, last } = await readHistoryFile(path);
    if (last === undefined) leftovers.push(path);
    if (last?.actorId !== actorId) continue;
    const { number, updatedAt } = last;
    const key = head && { sessionId: head.sessionId, sourceId: head.sourceId, actorId };
    found.push({ path, number, listing: key && { key, updatedAt } });
  }
  return { found, leftovers };
}
