import { expect, it, onTestFinished } from 'vitest';
import { openBackend } from '../open-backend.js';
import { scaled, timeLimit } from '../rounds.js';
import type { RunningStore } from '../stores.js';
import { byWriter } from '../turn.js';
import { keyOf, startWriter, writings } from './writing-processes.js';

/** What holds when many processes write to one session. @param store - Called when tests run. */
export function manyProcessesWrite(store: () => RunningStore): void {
  const [processes, turns] = [scaled(12, 50), scaled(5, 40)];

  it(`${processes} processes append to one session: complete, in the order of each, no sequence twice`, {
    timeout: timeLimit(120_000),
  }, async () => {
    const sessionId = 'written by many';
    const writing = writings['a backend'];
    const writers = Array.from({ length: processes }, (_, writer) =>
      startWriter(writing, { store: store(), sessionId, writer: `w${writer}`, turns }),
    );
    const ends = await Promise.all(writers.map((writer) => writer.ended()));
    expect(ends).toEqual(ends.map(() => ({ code: 0, complaint: '' })));
    const backend = await openBackend(store().kind, store().address);
    onTestFinished(() => backend.close());
    const stored = byWriter(writing.namesIn(await backend.load(keyOf(sessionId))));
    expect(stored).toEqual(
      byWriter(
        Array.from({ length: processes }, (_, writer) =>
          Array.from({ length: turns }, (_, turn) => `w${writer}.${turn}`),
        ).flat(),
      ),
    );
  });
}
