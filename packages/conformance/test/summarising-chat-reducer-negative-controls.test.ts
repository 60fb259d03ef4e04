import { describe } from 'vitest';
import type { ChatReducerAbilities } from '../src/reducer/index.js';
import type { ChatReducerCase } from '../src/reducer/reducer-case.js';
import * as summaries from './broken-chat-reducers/broken-summaries.js';
import * as failing from './broken-chat-reducers/broken-summarisers.js';
import * as tokens from './broken-chat-reducers/broken-token-reducers.js';
import {
  countCases,
  found,
  foundEverywhere,
  itFails,
  itHasNoIdleCase,
  itIsTold,
  itPasses,
  type ReducerFault,
} from './chat-reducer-faults.js';
import { ReferenceSummarizingReducer } from './reference-summarizing-reducer.js';
import { ReferenceTokenReducer } from './reference-token-reducer.js';

const less = 'leaves less when more of the budget is taken';
const least = 'leaves the least that is valid, with a warning, when the budget cannot be met';
const place = 'puts a summary where the last message was that it stands for, as one of the user';
const range = 'says in a summary which messages it covers';
const quotes = 'quotes what a summary says as data, and lets nothing in it end the quotation';
const folds = 'folds an earlier summary into the new one';
const onlyWhenNeeded = 'asks for no summary when there is nothing to reduce';
const told = 'removes nothing that the summariser was not told';
const toldInVain = 'removes nothing that was told only in a call that failed';
const tooMuch = 'removes nothing that was more than the summariser could read';
const gaveUp =
  'gives up on a summariser that does not answer, leaves everything as it is and warns';
const error = whenSummariser('fails');
const refusal = whenSummariser('refuses');
const nothing = whenSummariser('says nothing');
const cut = whenSummariser('is cut off');
const everyFailure = [error, refusal, nothing, cut, gaveUp];

const tokenFaults: readonly ReducerFault[] = [
  found(tokens.IgnoresFixedTokens, less, least),
  found(tokens.NeverWarns, least),
  foundEverywhere(tokens.ThrowsOverBudget, least),
  found(
    tokens.HidesItsCounter,
    'says what it counts tokens with, so that what is sent beside the history counts alike',
  ),
  found(tokens.CountsAnew, 'counts a content once, however often the history is reduced'),
];

const summaryFaults: readonly ReducerFault[] = [
  foundEverywhere(summaries.SpeaksAsSystem, place),
  found(
    summaries.SpeaksAsAssistant,
    place,
    'begins with a message of the user when the history does',
  ),
  found(summaries.DoesNotQuote, quotes),
  found(summaries.DoesNotEscape, quotes),
  found(summaries.TellsNoRange, range),
  found(summaries.CountsASummaryAsOne, range),
  found(summaries.DoesNotMarkSummaries, range, folds),
  foundEverywhere(summaries.PutsTheSummaryLast, place),
  found(summaries.LosesEarlierSummaries, folds),
  foundEverywhere(summaries.SummarisesSummaries, onlyWhenNeeded),
  found(summaries.NeedsSomethingElse, 'takes a history of summaries alone'),
  found(failing.AsksInAnyCase, onlyWhenNeeded),
  found(failing.LeavesOutTheOldest, folds, told, toldInVain),
  found(failing.TellsLessAndRemovesAll, tooMuch),
  found(failing.SkipsWhatFails, toldInVain),
  found(failing.RemovesOnFailure, ...everyFailure, tooMuch),
  found(failing.FailsSilently, ...everyFailure),
  found(failing.ThrowsOnFailure, ...everyFailure, tooMuch),
  found(failing.AcceptsCutSummaries, cut),
  found(failing.AcceptsEmptySummaries, nothing),
  found(failing.AcceptsRefusals, refusal),
  found(failing.WaitsForEver, gaveUp),
  found(
    failing.WaitsThroughAborts,
    'stops waiting for the summariser when the signal aborts, with the reason',
  ),
];

const tokenAbilities: ChatReducerAbilities = { fixedTokens: true, tokenCounter: true };
const summaryAbilities: ChatReducerAbilities = { summarises: true, summaryTimeout: true };

function whenSummariser(how: string): string {
  return `leaves everything as it is and warns when the summariser ${how}`;
}

function isForSummaries({ needs = [] }: ChatReducerCase): boolean {
  return needs.includes('summarises');
}

function isForTokens({ needs = [] }: ChatReducerCase): boolean {
  return needs.includes('fixedTokens') || needs.includes('tokenCounter');
}

describe('the kit for chat reducers that count tokens or have summaries written', () => {
  const failures = new Set<string>();

  itPasses(ReferenceTokenReducer, tokenAbilities);
  itPasses(ReferenceSummarizingReducer, summaryAbilities);
  itFails(tokenFaults, tokenAbilities, failures);
  itFails(summaryFaults, summaryAbilities, failures);
  itHasNoIdleCase(({ needs = [] }) => needs.length > 0, failures);
  itIsTold(
    `${countCases(isForSummaries)} for those that have summaries written`,
    `${countCases(isForTokens)} for those that go by tokens`,
    `${tokenFaults.length} broken counters of tokens`,
    `${summaryFaults.length} broken summarisers`,
  );
});
