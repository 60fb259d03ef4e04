import type { MemoryCallOptions } from '@minne/core/memory';
import { KeyedQueue } from '../keyed-queue.js';
import type { EntryTable } from '../storage-port.js';
import { ActorIndex } from './actor-index.js';

/** Whose index. */
export interface IndexKey {
  readonly storeKey: string;
  readonly actorId: string;
}

/**
 * The indexes of the actors searched last. Every use checks the actor's revision in storage and reads
 * what changed, whoever changed it, so that a cached index is never behind.
 */
export class IndexCache {
  readonly #entries: EntryTable;
  readonly #maximumSize: number;
  /** The least recently used first. */
  readonly #kept = new Map<string, { readonly index: ActorIndex; readonly size: number }>();
  readonly #queue = new KeyedQueue();
  #size = 0;

  /** @param maximumSize - About how many bytes are kept, over all actors. */
  constructor(entries: EntryTable, maximumSize: number) {
    this.#entries = entries;
    this.#maximumSize = maximumSize;
  }

  /** Runs `task` over the index of this actor as it is in storage now. */
  use<T>(
    key: IndexKey,
    now: string,
    task: (index: ActorIndex) => T,
    options: MemoryCallOptions = {},
  ): Promise<T> {
    // Neither half can hold a line feed, so two keys never meet.
    const name = `${key.storeKey}\n${key.actorId}`;
    return this.#queue.run(name, async () => {
      options.signal?.throwIfAborted();
      const cached = this.#kept.get(name)?.index;
      const since = cached?.isWorn === true ? undefined : cached?.revision;
      const changes = await this.#entries.changes(
        { ...key, ...(since === undefined ? {} : { since }) },
        options,
      );
      // An index in which a change failed half way must not be found again.
      this.#drop(name);
      const index = cached === undefined || changes.complete ? new ActorIndex() : cached;
      index.apply(changes);
      index.expire(Date.parse(now));
      const result = task(index);
      // What the task has looked for makes the index larger, too.
      this.#keep(name, index);
      return result;
    });
  }

  #drop(name: string): void {
    this.#size -= this.#kept.get(name)?.size ?? 0;
    this.#kept.delete(name);
  }

  #keep(name: string, index: ActorIndex): void {
    this.#kept.set(name, { index, size: index.size });
    this.#size += index.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= this.#maximumSize) return;
      this.#drop(oldest);
    }
  }
}
