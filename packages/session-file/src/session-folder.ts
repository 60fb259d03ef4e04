import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { exists, makeFolder, syncFolder, writeDurably } from './durable-files.js';
import { hasCode } from './file-error.js';
import { folderNameOf } from './folder-name.js';
import { leftoverName } from './leftovers.js';

/** Which file of a session's folder counts, as the name of its pointer says. */
export interface Pointer {
  /** The name of the pointer file: `current-ID`, or `none-ID` when what was there is damaged. */
  readonly entry: string;
  /** The version: the time of the write and 16 random hexadecimal digits. */
  readonly id: string;
  /** Milliseconds since 1970; of two writes of a session the later one has the greater. */
  readonly time: number;
  readonly hasSession: boolean;
  /** Everything that was in the folder. */
  readonly entries: readonly string[];
}

const pointerName = /^(current|none)-((\d+)-[0-9a-f]{16})$/;
const stateName = /^(\d+)-[0-9a-f]{16}\.json$/;
const pointerText = 'The name of this file says which file beside it holds the session.\n';

/** How often a folder is listed that seems to have no pointer: a listing may miss a name that changes. */
const listingAttempts = 3;

/** A name for a write at this time, which no other write ever has. */
export function newVersion(time: number): string {
  return `${time}-${randomBytes(8).toString('hex')}`;
}

/**
 * The folder of one session: the file `ID.json` with the session, and a pointer file whose name says
 * that this is the one that counts.
 *
 * A write puts its own file beside the others and then renames the pointer from the version it has seen
 * to its own. Of several writers the file system lets exactly one rename it; the others find it gone. As
 * a version is never used twice, a writer that was stopped for any time cannot win late.
 */
export class SessionFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Whether this is the folder of that session. */
  isOf(sessionId: string): boolean {
    return folderNameOf(sessionId) === basename(this.path);
  }

  /**
   * What counts at this moment; `undefined` when there is no folder, `unknown` when there is one
   * without a pointer.
   */
  async look(): Promise<Pointer | 'unknown' | undefined> {
    for (let attempt = 0; attempt < listingAttempts; attempt++) {
      const entries = await this.#list();
      if (entries === undefined) return undefined;
      const pointer = newestPointer(entries);
      if (pointer !== undefined) return pointer;
    }
    return 'unknown';
  }

  /** The bytes of a session; `undefined` when the file is not there. */
  async read({ id }: Pointer): Promise<Uint8Array | undefined> {
    try {
      return await readFile(join(this.path, `${id}.json`));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Makes the folder with a session in it. @returns Whether this was the first to do so. */
  async create(id: string, text: string): Promise<boolean> {
    const root = dirname(this.path);
    for (;;) {
      const temporary = join(root, leftoverName('new'));
      await makeFolder(root);
      try {
        await mkdir(temporary, { mode: 0o700 });
        await writeDurably(join(temporary, `${id}.json`), text);
        await writeFile(join(temporary, `current-${id}`), pointerText, { mode: 0o600 });
        await syncFolder(temporary);
        await rename(temporary, this.path);
      } catch (error) {
        await rm(temporary, { recursive: true, force: true });
        // Somebody tidied it away.
        if (hasCode(error, 'ENOENT')) continue;
        // Windows says EPERM.
        if (hasCode(error, 'EEXIST', 'ENOTEMPTY', 'EPERM') && (await exists(this.path)))
          return false;
        throw error;
      }
      await syncFolder(root);
      return true;
    }
  }

  /** Puts a session in the place of what `seen` says. @returns Whether that still counted. */
  async replace(seen: Pointer, id: string, text: string): Promise<boolean> {
    const file = join(this.path, `${id}.json`);
    try {
      await writeDurably(file, text);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
    if (!(await this.#move(seen.entry, `current-${id}`))) {
      await rm(file, { force: true });
      return false;
    }
    await this.#sync();
    await this.#removeDead(seen, id);
    return true;
  }

  /** Takes a damaged session out of the way. @returns Where it is now; `undefined` when it had been replaced. */
  async setAside(seen: Pointer): Promise<string | undefined> {
    if (!(await this.#move(seen.entry, `none-${seen.id}`))) return undefined;
    await this.#move(`${seen.id}.json`, `${seen.id}.damaged`);
    await this.#sync();
    return join(this.path, `${seen.id}.damaged`);
  }

  /** Removes the folder with all that is in it. @returns Whether there was a session in it. */
  async remove(): Promise<boolean> {
    const root = dirname(this.path);
    const trash = join(root, leftoverName('trash'));
    try {
      await rename(this.path, trash);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
    await syncFolder(root);
    const pointer = newestPointer(await readdir(trash));
    await rm(trash, { recursive: true, force: true });
    return pointer?.hasSession === true;
  }

  async #list(): Promise<readonly string[] | undefined> {
    try {
      return await readdir(this.path);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  /** Renames an entry. @returns Whether it was there. */
  async #move(from: string, to: string): Promise<boolean> {
    try {
      await rename(join(this.path, from), join(this.path, to));
      return true;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
  }

  /** The folder may have been deleted since: then there is nothing left to keep. */
  async #sync(): Promise<void> {
    try {
      await syncFolder(this.path);
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }

  /**
   * Removes what can count no more: sessions that were replaced, and those of writers that lost or were
   * killed. One that a writer is about to point to is later than every write that it has seen.
   */
  async #removeDead({ entries, entry }: Pointer, id: string): Promise<void> {
    const time = timeOf(id);
    const dead = entries.filter((name) => {
      const found = stateName.exec(name)?.[1] ?? pointerName.exec(name)?.[3];
      return found !== undefined && Number(found) <= time && name !== entry;
    });
    for (const name of dead) await rm(join(this.path, name), { force: true });
  }
}

function newestPointer(entries: readonly string[]): Pointer | undefined {
  let newest: Pointer | undefined;
  for (const entry of entries) {
    const [, kind, id = '', time] = pointerName.exec(entry) ?? [];
    if (kind === undefined || Number(time) < (newest?.time ?? 0)) continue;
    newest = { entry, id, time: Number(time), hasSession: kind === 'current', entries };
  }
  return newest;
}

function timeOf(id: string): number {
  return Number(id.split('-')[0]);
}
