import { conversation, plainTurn } from './conversations.mjs';

/** The lengths of the sessions that are loaded. */
export const lengths = [20, 200, 2_000];

/** Messages of the sessions that are appended to when that begins. */
export const appendedTo = 200;

/** Writes the sessions that are measured, a few messages at a time, as they come about. */
export async function writeSessions(contestant) {
  for (const length of lengths) await write(contestant, `of ${length}`, length);
  await write(contestant, 'appended to', appendedTo);
  await write(contestant, 'appended to with tools', appendedTo);
  for (const length of lengths) {
    const loaded = await contestant.load(`of ${length}`);
    const texts = new Set(loaded.map(contestant.textIn));
    if (texts.size !== length || loaded.length !== length || texts.has(undefined)) {
      throw new Error(`${contestant.name} gave ${texts.size} texts of ${length} messages.`);
    }
  }
}

export async function write(contestant, session, length) {
  const messages = conversation(length);
  for (let first = 0; first < length; first += 20) {
    await contestant.append(session, messages.slice(first, first + 20));
  }
}

/**
 * Adds other sessions of one turn each, through the contestant itself, so that they lie as its own do. Peers,
 * which take minutes for more, get at most 1,000.
 */
export async function addOthers(contestant, from, to) {
  const end = Math.min(to, contestant.mostOthers ?? to);
  let next = from;
  const writer = contestant.filler?.() ?? contestant;
  const one = async () => {
    while (next < end) {
      const session = `other-${next}`;
      next += 1;
      await writer.append(session, plainTurn());
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: contestant.fillAtOnce }, one));
  if (writer !== contestant) await writer.close();
  const seconds = (performance.now() - start) / 1000;
  if (end - from > 500) console.error(`${contestant.name}: filled in ${seconds.toFixed(0)} s`);
}
