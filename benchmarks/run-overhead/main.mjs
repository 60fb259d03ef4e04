// What one run costs above a model that answers at once, beside what a user would pick instead.
// All contestants run in this process in turn, ten runs each, so that noise falls on all alike and each
// finds its code as warm as in a process of its own.
import { Agent, HistoryProvider, SessionHistoryBackend } from '@minne/core';
import { aiSdk } from './ai-sdk.mjs';
import { minne } from './minne.mjs';
import { openaiAgents } from './openai-agents.mjs';
import { answer, question, scenarios } from './scenario.mjs';

const contestants = [minne, aiSdk, openaiAgents];
const rounds = Number(process.env.ROUNDS ?? 120);
const warmingUp = Math.ceil(rounds / 2);
/** Runs on one session before it is made anew, so that a session keeps about its length. */
const runsInSession = 10;

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

async function measure(scenario) {
  const samples = new Map(contestants.map(({ name }) => [name, { times: [], bytes: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    const runs = [];
    for (const contestant of contestants) {
      const run = await contestant.prepare(scenario);
      if ((await run()) !== answer) throw new Error(`${contestant.name} gave another answer.`);
      runs.push({ run, sample: samples.get(contestant.name) });
    }
    // Another one begins each time: what comes first after a pause is slower.
    for (let offset = 0; offset < runs.length; offset += 1) {
      const { run, sample } = runs[(round + offset) % runs.length];
      for (let count = 0; count < runsInSession; count += 1) {
        const heap = process.memoryUsage().heapUsed;
        const start = process.hrtime.bigint();
        await run();
        const time = Number(process.hrtime.bigint() - start) / 1000;
        const grown = process.memoryUsage().heapUsed - heap;
        if (round < warmingUp) continue;
        sample.times.push(time);
        if (grown > 0) sample.bytes.push(grown); // a collection in between tells nothing
      }
    }
  }
  return contestants.map(({ name }) => {
    const { times, bytes } = samples.get(name);
    return { name, time: median(times), kilobytes: median(bytes) / 1024 };
  });
}

const pad = (value, width) => String(value).padStart(width);
console.log(
  `${'microseconds a run (KiB allocated)'.padEnd(34)}${contestants.map(({ name }) => pad(name, 20)).join('')}   Minne / next`,
);
for (const scenario of scenarios) {
  const results = await measure(scenario);
  const [ours, ...others] = results;
  const next = Math.min(...others.map(({ time }) => time));
  console.log(
    scenario.name.padEnd(34) +
      results
        .map(({ time, kilobytes }) => pad(`${time.toFixed(0)} (${kilobytes.toFixed(0)})`, 20))
        .join('') +
      `   ${(ours.time / next).toFixed(2)}`,
  );
}

console.log('\nmicroseconds a run that loads the newest 20 messages, by the length of the session');
const lengths = [20, 200, 2_000, 20_000];
const flat = [];
for (const length of lengths) {
  const backend = new SessionHistoryBackend();
  const chatClient = {
    specificationVersion: 'v1',
    historyStorage: 'none',
    getResponse: async () => ({ messages: [{ role: 'assistant', contents: answer }] }),
  };
  const provider = new HistoryProvider({ backend, sourceId: 'newest', limit: 20 });
  const agent = new Agent({ chatClient, contextProviders: [provider] });
  const session = agent.createSession();
  session.state.newest = {};
  const records = Array.from({ length }, (_, index) => {
    const message = {
      id: `m${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      contents: [{ type: 'text', text: answer }],
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const { id, role } = message;
    return { v: 1, id, group: id, kind: role, payload: JSON.stringify(message) };
  });
  const key = { sessionId: session.sessionId, sourceId: 'newest' };
  await backend.append(key, records, { state: session.state.newest });
  const times = [];
  globalThis.gc();
  for (let run = 0; run < 600; run += 1) {
    const start = process.hrtime.bigint();
    await agent.run(question, { session });
    if (run >= 300) times.push(Number(process.hrtime.bigint() - start) / 1000);
  }
  flat.push(median(times));
}
for (const [index, length] of lengths.entries()) {
  const ratio = flat[index] / flat[0];
  console.log(
    `${pad(length, 8)} messages${pad(flat[index].toFixed(0), 8)}   ${ratio.toFixed(2)} x the shortest`,
  );
}
