import type { HistoryRecord } from '@minne/core';

/** What a run has read and written. */
interface Run {
  /** Of the newest record when the run first read. */
  readonly sequence: number;
  readonly written: Set<string>;
}

/**
 * Remembers what each run knows of the history, by its run context, so that a compaction it asks for takes
 * away nothing that others have added since.
 */
export class RunLedger {
  readonly #runs = new WeakMap<object, Run>();

  /** A run has read everything up to `sequence`. Only the first time counts. */
  read(runContext: object | undefined, sequence: number): void {
    if (runContext === undefined || this.#runs.has(runContext)) return;
    this.#runs.set(runContext, { sequence, written: new Set() });
  }

  /** A run has added records with these ids. */
  wrote(runContext: object | undefined, ids: readonly string[]): void {
    const run = runContext === undefined ? undefined : this.#runs.get(runContext);
    for (const id of ids) run?.written.add(id);
  }

  /** Whether others have added a record since the run read. Of a run that never read, nothing is known. */
  isOfOthers(runContext: object | undefined, { id, sequence }: HistoryRecord): boolean {
    const run = runContext === undefined ? undefined : this.#runs.get(runContext);
    return run !== undefined && sequence > run.sequence && !run.written.has(id);
  }
}
