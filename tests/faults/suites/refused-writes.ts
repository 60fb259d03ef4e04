import { expect } from 'vitest';
import {
  AfterRunError,
  type HistoryBackend,
  StoreError,
} from '../../../packages/core/src/index.js';
import { agentOver, runsIn } from '../agent-runs.js';
import { turnOf, turnsIn } from '../turn.js';
import { keyOf } from './writing-processes.js';

/** A session, and the turns that are known to be in it. */
export interface Filled {
  readonly sessionId: string;
  readonly names: readonly string[];
  /** What the store threw when it took no more. */
  readonly refusal: unknown;
  /** The turn that it did not take. */
  readonly refused: string;
}

/** More than any store takes here. */
const enough = 5_000;

/** Appends until the store takes no more. */
export async function fill(backend: HistoryBackend, sessionId: string): Promise<Filled> {
  const names: string[] = [];
  for (let turn = 0; turn < enough; turn++) {
    const refused = `filler.${turn}`;
    try {
      await backend.append(keyOf(sessionId), turnOf(refused));
      names.push(refused);
    } catch (refusal) {
      return { sessionId, names, refusal, refused };
    }
  }
  throw new Error(`The store took ${enough} turns and was never full.`);
}

/** Expects an error that names the session and says what is wrong, in words that match `text`, and whether to repeat. */
export function expectRefusal(
  error: unknown,
  sessionId: string,
  text: RegExp,
  retryable: boolean,
): void {
  if (!StoreError.isInstance(error)) throw error;
  expect(error.message).toMatch(text);
  expect({ retryable: error.retryable, sessionId: error.sessionId }).toEqual({
    retryable,
    sessionId,
  });
}

/** Expects that nothing of the turn that was refused is there, and all of the others is. */
export async function expectNothingHalf(backend: HistoryBackend, filled: Filled): Promise<void> {
  const { sessionId, names, refused } = filled;
  const ids = turnOf(refused).map(({ id }) => id);
  const loaded = await backend.load(keyOf(sessionId), { ids });
  expect(turnsIn(loaded)).toEqual(names);
  expect(loaded.knownIds).toEqual([]);
}

/** Expects that what was refused is taken now, once. */
export async function expectWorksAgain(backend: HistoryBackend, filled: Filled): Promise<void> {
  const { sessionId, names, refused } = filled;
  const { duplicates } = await backend.append(keyOf(sessionId), turnOf(refused));
  expect(duplicates).toEqual([]);
  expect(turnsIn(await backend.load(keyOf(sessionId)))).toEqual([...names, refused]);
}

/**
 * Runs an agent on a store that takes no writes, and again when it does: the answer is not lost, and the run
 * is stored once.
 */
export async function expectAgentKeepsItsAnswer(
  backend: HistoryBackend,
  takeWritesAgain: () => Promise<void> | void,
): Promise<void> {
  const agent = agentOver(backend);
  const sessionId = 'agent on a store that takes no writes';
  const options = { session: agent.createSession({ sessionId }), operationId: 'asked once' };
  // Larger than the room that is left for a small one.
  const question = 'question '.repeat(10_000);
  const error: unknown = await agent.run(question, options).catch((thrown: unknown) => thrown);
  if (!AfterRunError.isInstance(error)) throw error;
  expect(error.response.text).toBe(`heard ${question}`);
  expect(error.errors.map((one) => StoreError.isInstance(one))).toEqual([true]);
  expect(runsIn(await backend.load(keyOf(sessionId)))).toEqual([]);
  await takeWritesAgain();
  await agent.run(question, options);
  await agent.run(question, options);
  expect(runsIn(await backend.load(keyOf(sessionId)))).toEqual([question]);
}
