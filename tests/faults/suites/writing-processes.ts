import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StoreProcess, startProcess } from '@minne/store-process';
import type { HistoryKey, LoadResult } from '../../../packages/core/src/index.js';
import { runsIn } from '../agent-runs.js';
import type { RunningStore } from '../stores.js';
import { faultSource, turnsIn } from '../turn.js';

// Starting a process takes a third of the time when its sources need not be compiled again. This is where
// Node keeps such a cache by default.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache');

/** What writes to a session, and how to read what it has written. */
export interface Writing {
  readonly script: URL;
  /** The names of what is there, each whole and once, in their order. @throws Error otherwise. */
  readonly namesIn: (loaded: LoadResult) => string[];
}

/** The two ways to write: through the backend alone, and in runs of an agent. */
export const writings = {
  'a backend': {
    script: new URL('../processes/append-loop.ts', import.meta.url),
    namesIn: turnsIn,
  },
  'an agent': { script: new URL('../processes/agent-loop.ts', import.meta.url), namesIn: runsIn },
} as const satisfies Record<string, Writing>;

/** What a process is to write, and where. */
export interface WriterOptions {
  readonly store: RunningStore;
  readonly sessionId: string;
  readonly writer: string;
  /** How many turns. */
  readonly turns: number;
}

/** Starts a process that writes, and prints the name of each turn that was acknowledged. */
export function startWriter({ script }: Writing, options: WriterOptions): StoreProcess {
  const { store, sessionId, writer, turns } = options;
  return startProcess(script, store.kind, store.address, sessionId, writer, String(turns));
}

/** The history that the processes write to. */
export function keyOf(sessionId: string): HistoryKey {
  return { sessionId, sourceId: faultSource };
}
