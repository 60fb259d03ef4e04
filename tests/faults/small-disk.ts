import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own in memory, so that it can be full. */
export interface SmallDisk {
  readonly path: string;
  /** Gives it another size. */
  resize(kibibytes: number): void;
  /** Lets it be written, or only be read. A file that is open for writing is in the way of the latter. */
  setReadOnly(isReadOnly: boolean): void;
  remove(): void;
}

let problem: string | undefined;
let isTried = false;

/** Why there can be no {@link SmallDisk} here, for `it.skipIf`; `undefined` when there can. */
export function smallDiskMissing(): string | undefined {
  if (isTried) return problem;
  isTried = true;
  try {
    makeSmallDisk(64).remove();
  } catch (error) {
    problem = `A file system can be mounted here by nobody but root on Linux: ${String(error)}`;
  }
  return problem;
}

/** Mounts one. @throws Error where this is not allowed: ask {@link smallDiskMissing} before. */
export function makeSmallDisk(kibibytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'minne-small-disk-'));
  const mount = (...values: readonly string[]) => {
    execFileSync('mount', values, { stdio: 'pipe' });
  };
  try {
    mount('-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=0777`, 'tmpfs', path);
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  return {
    path,
    resize: (size) => mount('-o', `remount,size=${size}k`, path),
    setReadOnly: (isReadOnly) => mount('-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, path),
    remove: () => {
      // Lazily: a server that was killed a moment ago may still hold it.
      execFileSync('umount', ['--lazy', path], { stdio: 'pipe' });
      rmdirSync(path);
    },
  };
}
