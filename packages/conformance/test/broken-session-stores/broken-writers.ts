import { setTimeout as delay } from 'node:timers/promises';
import type {
  JsonObject,
  SerializedSession,
  SessionListing,
  SessionStoreCallOptions,
  SetSessionOptions,
  StorableSession,
} from '@minne/core';
import {
  type KeptSession,
  type ReferencePlace,
  ReferenceSessionStore,
} from '../reference-session-store.js';

/** Says that it keeps a contract that is not this one. */
export class KeepsAnotherContract extends ReferenceSessionStore {
  override readonly specificationVersion: 'v1' = JSON.parse('"v0"');
}

/** Puts the new state over the old one, member by member. */
export class MergesStates extends ReferenceSessionStore {
  protected override textOf(session: SerializedSession): string {
    const before = this.parse(this.place.sessions.get(session.sessionId)?.text ?? '{}');
    const state = { ...(before?.['state'] as JsonObject), ...(session['state'] as JsonObject) };
    return super.textOf({ ...session, state });
  }
}

/** Never looks at the version that a write is made under. */
export class IgnoresVersions extends ReferenceSessionStore {
  protected override checkVersion(): void {}
}

/** Takes `null` for "any version". */
export class TakesNullForAny extends ReferenceSessionStore {
  protected override checkVersion(kept: KeptSession | undefined, options: SetSessionOptions): void {
    if (options.version !== null) super.checkVersion(kept, options);
  }
}

/** Compares versions only where there is a session. */
export class TakesAnyVersionForNew extends ReferenceSessionStore {
  protected override checkVersion(kept: KeptSession | undefined, options: SetSessionOptions): void {
    if (kept !== undefined) super.checkVersion(kept, options);
  }
}

/** Refuses every version, that of the last write included. */
export class RefusesEveryVersion extends ReferenceSessionStore {
  protected override checkVersion(kept: KeptSession | undefined, options: SetSessionOptions): void {
    super.checkVersion(typeof options.version === 'string' ? undefined : kept, options);
  }
}

/** Names a version by what is in it. */
export class HashesContent extends ReferenceSessionStore {
  override async set(
    session: SerializedSession,
    options: SetSessionOptions = {},
  ): Promise<SessionListing> {
    await super.set(session, options);
    const name = this.nameOf(session.sessionId);
    const kept = this.place.sessions.get(name);
    if (kept === undefined) throw new Error('What was written is gone.');
    const renamed = { ...kept, version: kept.text };
    this.place.sessions.set(name, renamed);
    return this.listingOf(renamed);
  }
}

/** Counts the writes of each session from 1, again after it was deleted. */
export class CountsFromOneAgain extends ReferenceSessionStore {
  protected override nextVersion(kept: KeptSession | undefined): string {
    return String(Number(kept?.version ?? 0) + 1);
  }
}

/** Looks, waits, and then writes whatever has happened in between. */
export class ComparesThenWaits extends ReferenceSessionStore {
  override async set(
    session: SerializedSession,
    options: SetSessionOptions = {},
  ): Promise<SessionListing> {
    this.checkSignal(options);
    const own = this.check(session);
    this.checkVersion(this.place.sessions.get(this.nameOf(own.sessionId)), options);
    await delay(1);
    return super.set(own);
  }
}

/** The same, but only between stores: each has a queue of its own. */
export class QueuesInItself extends ComparesThenWaits {
  #last: Promise<unknown> = Promise.resolve();

  override async set(
    session: SerializedSession,
    options: SetSessionOptions = {},
  ): Promise<SessionListing> {
    const own = this.check(session);
    const written = this.#last.then(() => super.set(own, options));
    this.#last = Promise.allSettled([written]);
    return written;
  }
}

/** Remembers in itself which session it is writing. */
export class KeepsTheIdInItself extends ReferenceSessionStore {
  #session: StorableSession | undefined;

  override async set(
    session: SerializedSession,
    options: SetSessionOptions = {},
  ): Promise<SessionListing> {
    this.#session = this.check(session);
    await delay(1);
    return super.set(this.#session, options);
  }
}

/** Writes what the caller's object holds when its turn comes. */
export class ReadsItsInputLate extends ReferenceSessionStore {
  override async set(
    session: SerializedSession,
    options: SetSessionOptions = {},
  ): Promise<SessionListing> {
    await delay(1);
    return super.set(session, options);
  }
}

/** Never looks at the signal. */
export class IgnoresTheSignal extends ReferenceSessionStore {
  protected override checkSignal(): void {}
}

/** Says `true` to every deletion. */
export class DeletesWithoutLooking extends ReferenceSessionStore {
  override async delete(
    sessionId: string,
    options: SessionStoreCallOptions = {},
  ): Promise<boolean> {
    await super.delete(sessionId, options);
    return true;
  }
}

/** Looks whether there is a session, waits, and then deletes. */
export class LooksThenDeletes extends ReferenceSessionStore {
  override async delete(
    sessionId: string,
    options: SessionStoreCallOptions = {},
  ): Promise<boolean> {
    const found = this.place.sessions.has(sessionId);
    this.checkSignal(options);
    this.checkId(sessionId);
    await delay(1);
    await super.delete(sessionId);
    return found;
  }
}

/** Deletes by the beginning of the id, as with a pattern that ends in `*`. */
export class DeletesByPrefix extends ReferenceSessionStore {
  override async delete(
    sessionId: string,
    options: SessionStoreCallOptions = {},
  ): Promise<boolean> {
    const found = await super.delete(sessionId, options);
    const prefix = sessionId.replace(/\*$/, '');
    for (const name of [...this.place.sessions.keys()]) {
      if (name.startsWith(prefix)) this.place.sessions.delete(name);
    }
    return found;
  }
}

/** Hands over only to its own memory. */
export class KeepsItInTheInstance extends ReferenceSessionStore {
  constructor(_place: ReferencePlace) {
    super({ sessions: new Map(), writes: 0 });
  }
}
