import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { HistoryBackend } from '../../../packages/core/src/index.js';
import { agentOver, runsIn } from '../agent-runs.js';
import { openBackend } from '../open-backend.js';
import type { RunningStore } from '../stores.js';
import { byWriter, turnLength, turnOf, turnsIn } from '../turn.js';
import { untilAcknowledged } from '../until-acknowledged.js';
import { keyOf } from './writing-processes.js';

/** Sessions of one test. */
const [ofBackends, ofAgents] = ['of backends', 'of agents'] as const;

/** Writers that repeat each call until it is acknowledged, each on a connection of its own. */
export interface StubbornWriters {
  /** How many turns were acknowledged. */
  acknowledged(): number;
  /** Waits until each writer has had another turn acknowledged. */
  allGetOn(): Promise<void>;
  /** Lets each end its turn, closes its connection, and expects that the store holds just what was acknowledged. */
  end(): Promise<void>;
}

/** What writers work on. */
export interface StubbornWritersOptions {
  /** Where they write. */
  readonly address: string;
  /** The store itself, to see what came of it. */
  readonly store: RunningStore;
  /** Names the sessions of this test. */
  readonly name: string;
  /** How many write through a backend; one more runs an agent. */
  readonly count: number;
  /** Milliseconds between two turns of a writer. */
  readonly pause: number;
}

/** Starts them. */
export function startStubbornWriters(options: StubbornWritersOptions): StubbornWriters {
  const { address, store, name, count, pause } = options;
  const told = { [ofBackends]: [] as string[], [ofAgents]: [] as string[] };
  const counts = new Map<string, number>();
  let isOver = false;

  const write = async (
    writer: string,
    one: (name: string, backend: HistoryBackend) => Promise<void>,
    list: string[],
  ) => {
    const backend = await openBackend(store.kind, address);
    try {
      for (let turn = 0; !isOver; turn++) {
        await one(`${writer}.${turn}`, backend);
        list.push(`${writer}.${turn}`);
        counts.set(writer, turn + 1);
        await sleep(pause);
      }
    } finally {
      await backend.close();
    }
  };
  const append = async (turn: string, backend: HistoryBackend) => {
    const key = keyOf(`${name} ${ofBackends}`);
    const { duplicates } = await untilAcknowledged(() => backend.append(key, turnOf(turn)));
    // What an earlier try has written it has written as a whole.
    expect([0, turnLength]).toContain(duplicates.length);
  };
  const run = async (turn: string, backend: HistoryBackend) => {
    const agent = agentOver(backend);
    const session = agent.createSession({ sessionId: `${name} ${ofAgents}` });
    await untilAcknowledged(() => agent.run(turn, { session, operationId: turn }));
  };
  const names = [...Array.from({ length: count }, (_, writer) => `w${writer}`), 'agent'];
  const working = names.map((writer) =>
    writer === 'agent'
      ? write(writer, run, told[ofAgents])
      : write(writer, append, told[ofBackends]),
  );
  // Whoever waits for the writers sees why one of them gave up.
  const failed = Promise.all(working).then(() => undefined);
  failed.catch(() => {
    isOver = true;
  });

  return {
    acknowledged: () => told[ofBackends].length + told[ofAgents].length,
    allGetOn: async () => {
      const before = new Map(counts);
      // A turn that was acknowledged before may be counted only now, hence two.
      const isBehind = (writer: string) =>
        (counts.get(writer) ?? 0) < (before.get(writer) ?? 0) + 2;
      while (!isOver && names.some(isBehind)) await sleep(20);
      if (isOver) await failed;
    },
    end: async () => {
      isOver = true;
      await failed;
      const backend = await openBackend(store.kind, store.address);
      try {
        const turns = turnsIn(await backend.load(keyOf(`${name} ${ofBackends}`)));
        expect(byWriter(turns)).toEqual(byWriter(told[ofBackends]));
        const runs = runsIn(await backend.load(keyOf(`${name} ${ofAgents}`)));
        expect(runs).toEqual(told[ofAgents]);
      } finally {
        await backend.close();
      }
    },
  };
}
