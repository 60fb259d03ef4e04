// Seeded conversations: the same seed gives the same messages, whoever reduces them.

const createdAt = '2026-01-01T00:00:00.000Z';
const words =
  'sky river train seat ticket window harbour morning price north hotel bridge street coffee market ferry museum garden station weather'.split(
    ' ',
  );

/** Numbers from 0 to 1 (mulberry32), the same for the same seed. */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

class Writer {
  messages = [];
  #random;
  #calls = 0;

  constructor(seed) {
    this.#random = randomFrom(seed);
  }

  /** A whole number, both ends included. */
  between(least, most) {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  chance(share) {
    return this.#random() < share;
  }

  text(least, most) {
    const chosen = [];
    for (let count = this.between(least, most); count > 0; count -= 1) {
      chosen.push(words[this.between(0, words.length - 1)]);
    }
    return `${chosen.join(' ')}.`;
  }

  add(role, ...contents) {
    this.messages.push({ id: `m${this.messages.length}`, role, contents, createdAt });
  }

  say(role, least, most) {
    this.add(role, { type: 'text', text: this.text(least, most) });
  }

  /** One answer that calls tools, and their results, a message each. */
  round(parallel, { reused = false, longest = 80 } = {}) {
    const calls = Array.from({ length: parallel }, (_, index) => {
      this.#calls += 1;
      return {
        type: 'tool_call',
        callId: reused ? `call_${index}` : `call_${this.#calls}`,
        name: 'look',
        arguments: `{"at":"${words[this.between(0, words.length - 1)]}"}`,
      };
    });
    this.add('assistant', ...calls);
    for (const { callId } of calls) {
      this.add('tool', { type: 'tool_result', callId, result: this.text(10, longest) });
    }
  }
}

/** Turns of four messages: question, call, result, answer. */
export function evenHistory(turns, seed = 1) {
  const writer = new Writer(seed);
  for (let turn = 0; turn < turns; turn += 1) {
    writer.say('user', 5, 30);
    writer.round(1);
    writer.say('assistant', 10, 60);
  }
  return writer.messages;
}

/**
 * A long conversation of exactly so many messages, for measuring time: even turns and the question of
 * the next one, so that a cut may fall into a turn.
 */
export function longHistory(length, seed = 1) {
  const writer = new Writer(seed);
  while (writer.messages.length + 4 < length) {
    writer.say('user', 5, 30);
    writer.round(1);
    writer.say('assistant', 10, 60);
  }
  while (writer.messages.length < length) writer.say('user', 5, 30);
  return writer.messages;
}

/**
 * A conversation as agents have it, valid as it stands: turns without tools, with a few rounds and with
 * dozens, calls in parallel, long results, system messages in the middle; in every third one the
 * service gives the same call ids again in every round.
 */
export function agentHistory(seed) {
  const writer = new Writer(seed);
  const reused = seed % 3 === 0;
  const turns = writer.between(10, 60);
  if (writer.chance(0.7)) writer.say('system', 10, 40);
  for (let turn = 0; turn < turns; turn += 1) {
    if (writer.chance(0.03)) writer.say('system', 5, 15);
    writer.say('user', 3, 60);
    const kind = writer.between(1, 10);
    const rounds = kind <= 3 ? 0 : kind <= 8 ? writer.between(1, 4) : writer.between(5, 30);
    for (let round = 0; round < rounds; round += 1) {
      const parallel = writer.chance(0.3) ? writer.between(2, 6) : 1;
      writer.round(parallel, { reused, longest: writer.chance(0.1) ? 1200 : 150 });
    }
    writer.say('assistant', 5, 120);
  }
  // A reducer runs when the user has said something, or in the middle of a run.
  if (writer.chance(0.7)) writer.say('user', 3, 60);
  else {
    writer.say('user', 3, 60);
    for (let round = writer.between(1, 20); round > 0; round -= 1) writer.round(1, { reused });
  }
  return writer.messages;
}
