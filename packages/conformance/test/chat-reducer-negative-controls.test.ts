import { describe, expect, it } from 'vitest';
import type { ChatReducerCase } from '../src/reducer/reducer-case.js';
import { chatReducerCases } from '../src/reducer/reducer-cases.js';
import * as results from './broken-chat-reducers/broken-results.js';
import * as runs from './broken-chat-reducers/broken-runs.js';
import * as windows from './broken-chat-reducers/broken-windows.js';
import {
  countCases,
  found,
  foundEverywhere,
  itFails,
  itHasNoIdleCase,
  itIsTold,
  itPasses,
  lawsOn,
  type ReducerFault,
} from './chat-reducer-faults.js';
import { ReferenceChatReducer } from './reference-chat-reducer.js';

const accounts = 'reduces a long history, and accounts for every message of it';
const veryArray = 'gives back the very array when there is nothing to reduce';
const again = 'changes nothing more when it reduces what it has left';
const systemStays = 'keeps every system message, in its place';
const systemLaws = lawsOn('system messages all over');
const lostFirst = 'never begins with a result when the history does';
const waiting = 'keeps a call that waits for approval, whatever was called beside it';
const newest = 'keeps the newest message';
const question = 'keeps the newest question of the user, however much follows it';
const userFirst = 'begins with a message of the user when the history does';
const twice = 'takes what users say twice for said twice';
const input = 'changes neither the messages nor the array it is given, nor what it has given out';
const frozen = 'takes messages that are frozen';
const together = 'keeps reductions apart that run at once, and nothing of one for the next';
const aborted = 'rejects with the reason of a signal that has aborted before';
const contract = 'names the version of the contract it keeps, and its kind';
const files = 'takes text in every script, and files';
const noMessages = 'takes an empty history, and one of system messages alone, which stays';
const something =
  'leaves something of a history of nothing but lost results, and of one group alone';

const faults: readonly ReducerFault[] = [
  foundEverywhere(windows.DoesNothing, accounts),
  foundEverywhere(
    windows.CutsAnywhere,
    ...[
      'parallel calls, answered in another order',
      'calls within calls',
      'the same ids in every turn',
      'results that come turns later',
      'results whose calls are nowhere',
      'several results in one message',
    ].map(lawsOn),
    something,
  ),
  found(
    windows.PairsByAdjacency,
    lawsOn('results that come turns later'),
    lawsOn('an id that is called again before its result has come'),
  ),
  found(
    windows.PairsByTheNewestCall,
    lawsOn('an id that is called again before its result has come'),
  ),
  found(windows.PartsThoughtsFromCalls, lawsOn('thoughts in a message of their own')),
  found(windows.DropsConsent, lawsOn('calls that a person consented to')),
  foundEverywhere(
    windows.DropsParallelResults,
    accounts,
    lawsOn('parallel calls, answered in another order'),
  ),
  found(windows.DropsSystemMessages, systemStays, systemLaws, lostFirst),
  found(windows.DropsDeveloperMessages, systemStays, systemLaws),
  foundEverywhere(windows.LeavesNothing, accounts, newest),
  found(windows.BeginsWithResults, lostFirst),
  found(windows.BeginsWithAnswers, userFirst),
  found(windows.LosesTheQuestion, question, waiting),
  found(windows.RemovesWhatWaits, waiting),
  foundEverywhere(windows.KeepsTheOldest, newest, twice),
  foundEverywhere(windows.TakesHalf, again),
  found(results.KeepsAnotherContract, contract),
  found(results.NamesItselfAtRandom, contract),
  foundEverywhere(results.CopiesTheArray, veryArray, again),
  foundEverywhere(results.CopiesMessages, accounts),
  foundEverywhere(results.Reorders, accounts, systemStays),
  foundEverywhere(results.GivesAMessageTwice, accounts, twice),
  foundEverywhere(results.HidesWhatWent, accounts),
  foundEverywhere(results.NamesWhatStays, accounts),
  foundEverywhere(results.NamesTheNewestFirst, accounts),
  foundEverywhere(results.NamesWhatNeverWent, veryArray),
  foundEverywhere(results.ReportsWrongCounts, accounts),
  foundEverywhere(results.ReportsNothing, accounts),
  foundEverywhere(results.RewritesUnderNewIds, accounts),
  foundEverywhere(results.StripsReasoning, accounts),
  found(
    results.DropsUnknownContents,
    lawsOn('messages without contents, unfinished ones, and contents of a later version'),
  ),
  found(results.ChangesMessages, input, frozen, together),
  foundEverywhere(results.TakesTheArrayApart, input, frozen),
  found(runs.NeedsAMessage, veryArray, noMessages),
  found(runs.ComparesTexts, twice),
  found(runs.ReadsTextOnly, files),
  found(runs.IgnoresTheSignal, aborted),
  found(runs.SwallowsTheAbort, aborted),
  found(runs.SharesItsWork, together),
  foundEverywhere(runs.RemembersEarlierCalls, together),
  found(runs.LooksTooOften, 'looks at messages in proportion to their number'),
];

function isForAll({ needs = [] }: ChatReducerCase): boolean {
  return needs.length === 0;
}

describe('the kit for chat reducers', () => {
  const failures = new Set<string>();

  it('gives every case a name of its own', () => {
    const names = chatReducerCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  itPasses(ReferenceChatReducer, {});
  itFails(faults, {}, failures);
  itHasNoIdleCase(isForAll, failures);
  itIsTold(
    `Of its ${chatReducerCases.length} cases, ${countCases(isForAll)} are for every reducer`,
    `${faults.length} broken reducers`,
  );
});
