import { describe, expect, it } from 'vitest';
import { chatReducerCases, runChatReducerCase } from '../src/reducer/reducer-cases.js';
import * as broken from './broken-chat-reducers.js';
import { ReferenceChatReducer } from './reference-chat-reducer.js';

type ReducerClass = new () => ReferenceChatReducer;

/** Each fault, and the case that must find it. Others may find it, too. */
const faults: readonly (readonly [ReducerClass, string])[] = [
  [broken.KeepsAnotherContract, 'names the version of the contract it keeps, and its kind'],
  [broken.DoesNothing, 'reduces a long history, and accounts for every message of it'],
  [broken.CopiesAlways, 'gives back the very array when there is nothing to reduce'],
  [broken.TakesHalf, 'changes nothing more when it reduces what it has left'],
  [broken.DropsSystemMessages, 'keeps every system message, in its place'],
  [broken.DropsSystemMessages, 'keeps every law on histories with system messages all over'],
  [broken.KeepsTheOldest, 'keeps the newest message'],
  [
    broken.CutsAnywhere,
    'keeps every law on histories with parallel calls, answered in another order',
  ],
  [broken.CutsAnywhere, 'keeps every law on histories with calls within calls'],
  [broken.CutsAnywhere, 'keeps every law on histories with the same ids in every turn'],
  [broken.CutsAnywhere, 'keeps every law on histories with results that come turns later'],
  [broken.CutsAnywhere, 'keeps every law on histories with several results in one message'],
  [broken.CutsAnywhere, 'keeps every law on histories with thoughts in a message of their own'],
  [broken.CutsAnywhere, 'keeps every law on histories with calls that a person consented to'],
  [broken.KeepsTheOldest, 'keeps a call that waits for approval'],
  [
    broken.TakesTheArrayApart,
    'changes neither the messages nor the array it is given, nor what it has given out',
  ],
  [broken.IgnoresTheSignal, 'rejects with the reason of a signal that has aborted before'],
];

describe('the kit for chat reducers', () => {
  it('gives every case a name of its own', () => {
    const names = chatReducerCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(faults.map(([Reducer, name]) => ({ Reducer, fault: Reducer.name, name })))(
    'fails $fault at "$name", and no correct one',
    async ({ Reducer, name }) => {
      const testCase = chatReducerCases.find((found) => found.name === name);
      if (testCase === undefined) return expect.fail(`There is no case "${name}".`);
      await expect(runChatReducerCase(testCase, () => new Reducer())).rejects.toThrow();
      await runChatReducerCase(testCase, () => new ReferenceChatReducer());
    },
    30_000,
  );
});
