import type { HistoryListing } from '@minne/core';
import { type HistoryKeys, historyOf } from './history-keys.js';
import type { CommandContext, RedisConnection } from './redis-connection.js';
import { readReply } from './script-reply.js';
import { forgetScript, namesScript, ownerScript, touchScript } from './scripts/read-scripts.js';
import { clearScript, layout } from './scripts/write-scripts.js';

/** How many histories are looked at with one write to the connection. */
const batchSize = 100;

/** What a history itself says. */
interface Owner {
  readonly actorId: string;
  /** Microseconds since 1970. */
  readonly updated: number;
  /** Milliseconds since 1970, or '' for never. */
  readonly deadline: string;
}

/**
 * The names of the histories of each actor.
 *
 * On a Cluster the index lies on another server than the histories, so that it cannot be changed in one step
 * with them. It is a hint: a name is put in before the history is written and once more after it. What is
 * read from it is believed only if the history itself says the same. A name that is taken out is put back
 * when its history turns out to have been written meanwhile.
 */
export class ActorIndex {
  readonly #connection: RedisConnection;
  readonly #keys: HistoryKeys;
  readonly #ttl: string;

  /** @param ttl - Milliseconds, or '' for none. */
  constructor(connection: RedisConnection, keys: HistoryKeys, ttl: string) {
    this.#connection = connection;
    this.#keys = keys;
    this.#ttl = ttl;
  }

  /** Puts a name into the index. @param deadline - That of the history; '' is now and the ttl. */
  async touch(
    actorId: string,
    name: string,
    context: CommandContext,
    deadline = '',
    ttl = this.#ttl,
  ): Promise<void> {
    const key = this.#keys.ofActor(actorId);
    await this.#connection.run(touchScript, [key], [name, deadline, ttl], context);
  }

  /** Takes names out of the index whose histories are no longer the actor's. */
  async forget(actorId: string, names: readonly string[], context: CommandContext): Promise<void> {
    const key = this.#keys.ofActor(actorId);
    for (const batch of batchesOf(names)) {
      await this.#connection.run(forgetScript, [key], batch, context);
      const owners = await this.#ownersOf(batch, context);
      for (const [index, owner] of owners.entries()) {
        const name = batch[index];
        if (name === undefined || owner.actorId !== actorId) continue;
        await this.touch(actorId, name, context, owner.deadline, '');
      }
    }
  }

  /** The histories of an actor, most recently written first. Takes time in proportion to their number. */
  async list(actorId: string, context: CommandContext): Promise<HistoryListing[]> {
    const found: { readonly name: string; readonly updated: number }[] = [];
    const stale: string[] = [];
    for (const batch of batchesOf(await this.#names(actorId, context))) {
      const owners = await this.#ownersOf(batch, context);
      for (const [index, owner] of owners.entries()) {
        const name = batch[index] ?? '';
        if (owner.actorId === actorId) found.push({ name, updated: owner.updated });
        else stale.push(name);
      }
    }
    await this.forget(actorId, stale, context);
    found.sort((one, other) => other.updated - one.updated);
    return found.map(({ name, updated }) => ({
      key: { ...historyOf(name), actorId },
      updatedAt: new Date(updated / 1000).toISOString(),
    }));
  }

  /** Clears every history of an actor and says how many there were. */
  async erase(actorId: string, context: CommandContext): Promise<number> {
    let count = 0;
    for (const batch of batchesOf(await this.#names(actorId, context))) {
      const erased = await Promise.all(
        batch.map(async (name) => {
          const reply = await this.#connection.run(
            clearScript,
            this.#keys.ofHistory(name),
            [String(layout), actorId],
            context,
          );
          return readReply(reply, historyOf(name).sessionId)[0] === '1';
        }),
      );
      count += erased.filter(Boolean).length;
      await this.forget(actorId, batch, context);
    }
    return count;
  }

  async #names(actorId: string, context: CommandContext): Promise<readonly string[]> {
    const reply = await this.#connection.run(
      namesScript,
      [this.#keys.ofActor(actorId)],
      [],
      context,
    );
    return Array.isArray(reply) ? reply.map(String) : [];
  }

  #ownersOf(names: readonly string[], context: CommandContext): Promise<Owner[]> {
    return Promise.all(
      names.map(async (name) => {
        const reply = await this.#connection.run(
          ownerScript,
          this.#keys.ofHistory(name),
          [String(layout)],
          context,
        );
        const [actorId, updated, deadline] = readReply(reply, historyOf(name).sessionId);
        return { actorId: String(actorId), updated: Number(updated), deadline: String(deadline) };
      }),
    );
  }
}

function batchesOf(names: readonly string[]): string[][] {
  const batches: string[][] = [];
  for (let start = 0; start < names.length; start += batchSize) {
    batches.push(names.slice(start, start + batchSize));
  }
  return batches;
}
