import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openBackend } from '../open-backend.js';
import { rounds, timeLimit } from '../rounds.js';
import { type Chance, seededChance } from '../seeded.js';
import type { RunningStore } from '../stores.js';
import { byWriter } from '../turn.js';
import {
  keyOf,
  startWriter,
  type WriterOptions,
  type Writing,
  writings,
} from './writing-processes.js';

/** How many write to a session at once, and are killed one after the other. */
const writersAtOnce = 4;

/** What holds when processes that write are killed. @param store - Called when tests run. */
export function clientsAreKilled(store: () => RunningStore): void {
  describe.each(Object.entries(writings))('processes that write through %s', (name, writing) => {
    it('are killed at any moment, and nothing acknowledged is missing, halved or doubled', {
      timeout: timeLimit(120_000),
    }, async () => {
      const chance = seededChance();
      const backend = await openBackend(store().readAs ?? store().kind, store().address);
      onTestFinished(() => backend.close());
      const wanted = Math.ceil(rounds / 2);
      for (let kills = 0; kills < wanted; kills += writersAtOnce) {
        const count = Math.min(writersAtOnce, wanted - kills);
        const sessionId = `killed ${name} ${kills}`;
        const acknowledged = await Promise.all(
          Array.from({ length: count }, (_, writer) => {
            const options = { store: store(), sessionId, writer: `w${writer}`, turns: 100_000 };
            return killed(writing, options, chance);
          }),
        );
        const key = keyOf(sessionId);
        const stored = writing.namesIn(await backend.load(key));
        for (const [writer, own = []] of Object.entries(byWriter(stored))) {
          const told = acknowledged.flat().filter((turn) => turn.startsWith(`${writer}.`));
          expect(own.slice(0, told.length)).toEqual(told);
          // The turn that was under way when the process was killed.
          expect(own.length - told.length).toBeLessThanOrEqual(1);
        }
        expect(acknowledged.flat().filter((turn) => !stored.includes(turn))).toEqual([]);
        await backend.clear(key);
      }
    });
  });
}

/** Starts a writer, kills it soon after its first turn, and gives the turns it had acknowledged. */
async function killed(writing: Writing, options: WriterOptions, chance: Chance): Promise<string[]> {
  const wait = chance.number(80);
  const writer = startWriter(writing, options);
  await writer.begun();
  await sleep(wait);
  writer.process.kill('SIGKILL');
  expect(await writer.ended()).toEqual({ code: null, complaint: '' });
  return writer.lines();
}
