import type {
  SerializedSession,
  SessionFilter,
  SessionListing,
  SessionStoreCallOptions,
  StorableSession,
  StoredSession,
} from '@minne/core';
import { type KeptSession, ReferenceSessionStore } from '../reference-session-store.js';

/** Throws for a session that is not there. */
export class RejectsUnknownSessions extends ReferenceSessionStore {
  override async get(
    sessionId: string,
    options: SessionStoreCallOptions = {},
  ): Promise<StoredSession | undefined> {
    const stored = await super.get(sessionId, options);
    if (stored === undefined) throw new Error('not found');
    return stored;
  }
}

/** Gives the time of the reading for that of the writing. */
export class TellsTheTimeOfReading extends ReferenceSessionStore {
  override async get(
    sessionId: string,
    options: SessionStoreCallOptions = {},
  ): Promise<StoredSession | undefined> {
    const stored = await super.get(sessionId, options);
    if (stored === undefined) return undefined;
    return { ...stored, updatedAt: new Date(Date.now() + 5_000).toISOString() };
  }
}

/** Takes the clock as it is. */
export class TrustsTheClock extends ReferenceSessionStore {
  protected override nextTime(): number {
    return Date.now();
  }
}

/** Keeps the time at which a session was first written. */
export class KeepsTheFirstTime extends ReferenceSessionStore {
  protected override nextTime(kept: KeptSession | undefined): number {
    return kept?.time ?? Date.now();
  }
}

/** Lists by time, and what was written in one millisecond by id. */
export class ListsByTime extends ReferenceSessionStore {
  protected override compare(one: KeptSession, other: KeptSession): number {
    return other.time - one.time || one.sessionId.localeCompare(other.sessionId);
  }
}

/** Lists in the order in which sessions were first written. */
export class ListsOldestFirst extends ReferenceSessionStore {
  protected override compare(): number {
    return 0;
  }
}

/** Lists a page at a time, counting from the front, while the front moves. */
export class PagesByOffset extends ReferenceSessionStore {
  override async *list(
    filter: SessionFilter = {},
    options: SessionStoreCallOptions = {},
  ): AsyncGenerator<SessionListing> {
    for (let offset = 0; ; offset += 50) {
      const all = await Array.fromAsync(super.list(filter, options));
      yield* all.slice(offset, offset + 50);
      if (all.length <= offset + 50) return;
    }
  }
}

/** Lists under a pattern of SQL. */
export class ListsByPattern extends ReferenceSessionStore {
  protected override belongsTo(kept: KeptSession, actorId: string): boolean {
    const literal = actorId.replace(/[^\p{L}\p{N}_%]/gu, '\\$&');
    const pattern = literal.replaceAll('_', '.').replaceAll('%', '.*');
    return new RegExp(`^${pattern}$`, 's').test(kept.actorId ?? '');
  }
}

/** Lists all where the actor is empty, and any actor that it is given. */
export class TakesNoActorForAll extends ReferenceSessionStore {
  protected override checkActor(): void {}

  protected override belongsTo(kept: KeptSession, actorId: string): boolean {
    return actorId === '' || super.belongsTo(kept, actorId);
  }
}

/** Keeps the actor that a session was first written for. */
export class KeepsTheFirstActor extends ReferenceSessionStore {
  protected override check(session: SerializedSession): StorableSession {
    const own = super.check(session);
    const before = this.place.sessions.get(own.sessionId)?.actorId;
    return before === undefined ? own : { ...own, actorId: before };
  }
}

/** Leaves the actor out of what it lists. */
export class ListsWithoutActors extends ReferenceSessionStore {
  protected override listingOf(kept: KeptSession): SessionListing {
    return super.listingOf({ ...kept, actorId: undefined });
  }
}

/** Gives up on a damaged session, for ever. */
export class GivesUpOnDamage extends ReferenceSessionStore {
  protected override parse(text: string): SerializedSession | undefined {
    return JSON.parse(text) as SerializedSession;
  }
}

/** Reads past a damaged session, and leaves it where it is. */
export class LeavesDamageInPlace extends ReferenceSessionStore {
  protected override setAside(): void {}
}

/** Hands out what it keeps. */
export class HandsOutItsOwn extends ReferenceSessionStore {
  readonly #parsed = new Map<string, SerializedSession | undefined>();

  protected override parse(text: string): SerializedSession | undefined {
    const found = this.#parsed.get(text) ?? super.parse(text);
    this.#parsed.set(text, found);
    return found;
  }
}
