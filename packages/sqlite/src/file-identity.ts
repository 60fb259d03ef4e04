import { statSync } from 'node:fs';

/** Tells whether a path still leads to the file that was there. */
export class FileIdentity {
  readonly #path: string;
  readonly #identity: string | undefined;

  /** Takes the file that is at `path` now. */
  constructor(path: string) {
    this.#path = path;
    this.#identity = identityOf(path);
  }

  /** Whether the file has been removed, or another is in its place. */
  get isLost(): boolean {
    return this.#identity === undefined || identityOf(this.#path) !== this.#identity;
  }
}

function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}
