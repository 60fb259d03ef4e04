import { join } from 'node:path';
import { emitWarning } from 'node:process';
import {
  type Clock,
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
  systemClock,
  type Warning,
} from '@minne/core';
import { toStoreError } from './file-error.js';
import type { FileSessionStoreOptions } from './file-session-store-options.js';
import { folderNameOf, isFolderName } from './folder-name.js';
import { namesIn, tidy } from './leftovers.js';
import { packageName } from './package-name.js';
import { checkFolder, conflict, unknownFolder } from './session-errors.js';
import { readSessionFile, sessionFileText } from './session-file-text.js';
import { newVersion, type Pointer, SessionFolder } from './session-folder.js';

/** What a pointer says of a write. */
type Stamp = Pick<Pointer, 'id' | 'time'>;

interface FoundSession {
  readonly pointer: Pointer;
  readonly session: StorableSession;
}

/**
 * Keeps each session as a file in a folder of its own.
 *
 * Several processes may use one folder, without lock files: of writers under one version exactly one
 * wins. What `set` resolved for is on the disk and survives a kill of the process and a loss of power;
 * nobody ever reads a part of it. `get` and `set` cost one session, `list` reads all of them.
 *
 * Every method throws InvalidInputError for input that cannot be stored and StoreError for what the
 * file system refuses.
 */
export class FileSessionStore implements SessionStore {
  readonly specificationVersion = 'v1' as const;
  readonly #root: string;
  readonly #clock: Clock;
  readonly #onDiagnostic: (warning: Warning) => void;
  #lastTime = 0;
  #tidied = false;

  /** Touches no file. @throws ConfigurationError when `folder` is empty or lies inside `node_modules`. */
  constructor(options: FileSessionStoreOptions) {
    this.#root = checkFolder(options.folder);
    this.#clock = options.clock ?? systemClock;
    this.#onDiagnostic = options.onDiagnostic ?? warnProcess;
  }

  async get(
    sessionId: string,
    { signal }: SessionStoreCallOptions = {},
  ): Promise<StoredSession | undefined> {
    checkId(sessionId, 'sessionId', { packageName });
    const folder = this.#folder(folderNameOf(sessionId));
    const found = await this.#working(sessionId, () => this.#find(folder, signal));
    if (found === 'unknown') throw unknownFolder(folder.path);
    if (found === undefined) return undefined;
    return { session: found.session, ...stampOf(found.pointer) };
  }

  async set(session: SerializedSession, options: SetSessionOptions = {}): Promise<SessionListing> {
    const { signal, version } = options;
    signal?.throwIfAborted();
    const own = checkSerializedSession(session, { packageName });
    return this.#working(own.sessionId, async () => {
      if (!this.#tidied) await tidy(this.#root);
      this.#tidied = true;
      return listingOf(own, await this.#write(own, version, signal));
    });
  }

  async delete(sessionId: string, { signal }: SessionStoreCallOptions = {}): Promise<boolean> {
    checkId(sessionId, 'sessionId', { packageName });
    signal?.throwIfAborted();
    return this.#working(sessionId, () => this.#folder(folderNameOf(sessionId)).remove());
  }

  /** Reads every session in the folder, whatever the filter, before it gives the first listing. */
  async *list(
    { actorId }: SessionFilter = {},
    { signal }: SessionStoreCallOptions = {},
  ): AsyncGenerator<SessionListing, void> {
    if (actorId !== undefined) checkId(actorId, 'actorId', { packageName });
    signal?.throwIfAborted();
    for (const listing of await this.#working(undefined, () => this.#listAll(actorId, signal))) {
      signal?.throwIfAborted();
      yield listing;
    }
  }

  async #write(
    session: StorableSession,
    version: string | null | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Stamp> {
    const { sessionId } = session;
    const folder = this.#folder(folderNameOf(sessionId));
    const text = sessionFileText(session);
    for (;;) {
      signal?.throwIfAborted();
      const seen = await folder.look();
      if (seen === 'unknown') throw unknownFolder(folder.path);
      const stored = seen?.hasSession === true ? seen.id : null;
      if (version !== undefined && version !== stored) throw conflict(sessionId, version);
      const time = this.#nextTime(seen);
      const id = newVersion(time);
      const written =
        seen === undefined ? await folder.create(id, text) : await folder.replace(seen, id, text);
      if (written) return { id, time };
      if (version !== undefined) throw conflict(sessionId, version);
    }
  }

  async #find(
    folder: SessionFolder,
    signal: AbortSignal | undefined,
  ): Promise<FoundSession | 'unknown' | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      const pointer = await folder.look();
      if (pointer === 'unknown') return pointer;
      if (pointer?.hasSession !== true) return undefined;
      const bytes = await folder.read(pointer);
      const read = bytes === undefined ? { problem: 'it is not there' } : readSessionFile(bytes);
      if ('session' in read && folder.isOf(read.session.sessionId)) {
        return { pointer, session: read.session };
      }
      // When the pointer has moved in the meantime, the session was only replaced.
      const aside = await folder.setAside(pointer);
      if (aside === undefined) continue;
      const problem = 'problem' in read ? read.problem : 'it holds another session';
      this.#onDiagnostic({
        code: 'damaged_session',
        message: `A session file could not be read and was set aside as ${aside}: ${problem}.`,
      });
      return undefined;
    }
  }

  async #listAll(
    actorId: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<SessionListing[]> {
    await tidy(this.#root);
    const all: { readonly time: number; readonly listing: SessionListing }[] = [];
    for (const name of (await namesIn(this.#root)).filter(isFolderName)) {
      const folder = this.#folder(name);
      const found = await this.#find(folder, signal);
      if (found === 'unknown') {
        const { message } = unknownFolder(folder.path);
        this.#onDiagnostic({ code: 'unknown_folder', message });
        continue;
      }
      if (found === undefined) continue;
      const { pointer, session } = found;
      if (actorId !== undefined && session.actorId !== actorId) continue;
      all.push({ time: pointer.time, listing: listingOf(session, pointer) });
    }
    return all.sort((one, other) => other.time - one.time).map(({ listing }) => listing);
  }

  #folder(name: string): SessionFolder {
    return new SessionFolder(join(this.#root, name));
  }

  /**
   * Later than the last write of the session. No time is taken twice from the clock, so that lists know
   * the order of what this store has written.
   */
  #nextTime(seen: Pointer | undefined): number {
    this.#lastTime = Math.max(this.#clock().getTime(), this.#lastTime + 1);
    return Math.max(this.#lastTime, (seen?.time ?? 0) + 1);
  }

  async #working<T>(sessionId: string | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, sessionId);
    }
  }
}

function listingOf({ sessionId, actorId }: StorableSession, stamp: Stamp): SessionListing {
  return { sessionId, ...(actorId === undefined ? {} : { actorId }), ...stampOf(stamp) };
}

function stampOf({ id, time }: Stamp): { readonly version: string; readonly updatedAt: string } {
  return { version: id, updatedAt: new Date(time).toISOString() };
}

function warnProcess({ code, message }: Warning): void {
  emitWarning(message, { type: 'MinneWarning', code });
}
