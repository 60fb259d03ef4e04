import {
  ConflictError,
  checkId,
  checkSerializedSession,
  type SerializedSession,
  type SessionFilter,
  type SessionListing,
  type SessionStore,
  type SessionStoreCallOptions,
  type SetSessionOptions,
  type StorableSession,
  type StoredSession,
} from '@minne/core';

const packageName = '@minne/conformance';

/** A session as the reference store keeps it. */
export interface KeptSession {
  readonly text: string;
  readonly version: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Counts up with every write to the place. */
  readonly order: number;
  readonly sessionId: string;
  readonly actorId: string | undefined;
}

/** What stores of one test share: the place they are opened on. */
export interface ReferencePlace {
  readonly sessions: Map<string, KeptSession>;
  writes: number;
}

/** A correct store over a `Map`, whose parts the broken ones replace. */
export class ReferenceSessionStore implements SessionStore {
  readonly specificationVersion: 'v1' = 'v1' as const;
  protected readonly place: ReferencePlace;

  constructor(place: ReferencePlace) {
    this.place = place;
  }

  async get(
    sessionId: string,
    options: SessionStoreCallOptions = {},
  ): Promise<StoredSession | undefined> {
    this.checkSignal(options);
    this.checkId(sessionId);
    const kept = this.place.sessions.get(this.nameOf(sessionId));
    if (kept === undefined) return undefined;
    const session = this.parse(kept.text);
    if (session === undefined) {
      this.setAside(sessionId);
      return undefined;
    }
    return { session, version: kept.version, updatedAt: new Date(kept.time).toISOString() };
  }

  async set(session: SerializedSession, options: SetSessionOptions = {}): Promise<SessionListing> {
    this.checkSignal(options);
    const own = this.check(session);
    const name = this.nameOf(own.sessionId);
    this.checkVersion(this.place.sessions.get(name), options);
    this.place.writes += 1;
    const kept: KeptSession = {
      text: this.textOf(own),
      version: this.nextVersion(this.place.sessions.get(name)),
      time: this.nextTime(this.place.sessions.get(name)),
      order: this.place.writes,
      sessionId: own.sessionId,
      actorId: own.actorId,
    };
    this.place.sessions.set(name, kept);
    return this.listingOf(kept);
  }

  async delete(sessionId: string, options: SessionStoreCallOptions = {}): Promise<boolean> {
    this.checkSignal(options);
    this.checkId(sessionId);
    return this.place.sessions.delete(this.nameOf(sessionId));
  }

  async *list(
    filter: SessionFilter = {},
    options: SessionStoreCallOptions = {},
  ): AsyncGenerator<SessionListing> {
    this.checkSignal(options);
    if (filter.actorId !== undefined) this.checkActor(filter.actorId);
    yield* this.find(filter)
      .toSorted((one, other) => this.compare(one, other))
      .map((kept) => this.listingOf(kept));
  }

  protected find({ actorId }: SessionFilter): KeptSession[] {
    return [...this.place.sessions.values()].filter(
      (kept) => actorId === undefined || this.belongsTo(kept, actorId),
    );
  }

  protected belongsTo(kept: KeptSession, actorId: string): boolean {
    return kept.actorId === actorId;
  }

  protected compare(one: KeptSession, other: KeptSession): number {
    return other.order - one.order;
  }

  protected listingOf({ sessionId, actorId, version, time }: KeptSession): SessionListing {
    const updatedAt = new Date(time).toISOString();
    return { sessionId, ...(actorId === undefined ? {} : { actorId }), version, updatedAt };
  }

  protected checkSignal({ signal }: SessionStoreCallOptions): void {
    signal?.throwIfAborted();
  }

  protected checkId(sessionId: string): void {
    checkId(sessionId, 'sessionId', { packageName });
  }

  protected checkActor(actorId: string): void {
    checkId(actorId, 'actorId', { packageName });
  }

  protected check(session: SerializedSession): StorableSession {
    return checkSerializedSession(session, { packageName });
  }

  protected checkVersion(kept: KeptSession | undefined, { version }: SetSessionOptions): void {
    if (version === undefined || version === (kept?.version ?? null)) return;
    throw new ConflictError('The session has another version.', { packageName });
  }

  protected nameOf(sessionId: string): string {
    return sessionId;
  }

  protected nextVersion(_kept: KeptSession | undefined): string {
    return String(this.place.writes);
  }

  protected nextTime(kept: KeptSession | undefined): number {
    return Math.max(Date.now(), (kept?.time ?? 0) + 1);
  }

  protected textOf(session: SerializedSession): string {
    return JSON.stringify(session);
  }

  protected parse(text: string): SerializedSession | undefined {
    try {
      return JSON.parse(text) as SerializedSession;
    } catch (error) {
      if (error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  protected setAside(sessionId: string): void {
    this.place.sessions.delete(this.nameOf(sessionId));
  }
}

/** Cuts what a place holds of a session in half. */
export function damageReference(place: ReferencePlace, name: string): void {
  const kept = place.sessions.get(name);
  if (kept === undefined) throw new Error(`There is no session ${name} to damage.`);
  place.sessions.set(name, { ...kept, text: kept.text.slice(0, kept.text.length / 2) });
}
