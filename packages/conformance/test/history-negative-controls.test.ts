import { beforeAll, describe, expect, it } from 'vitest';
import { historyBackendCases, runHistoryCase } from '../src/history/history-backend-cases.js';
import {
  type HistoryAbilities,
  type HistorySuiteOptions,
  type OpenHistoryOptions,
  testHistoryBackend,
} from '../src/history/index.js';
import { declarationCase } from '../src/history/test-history-backend.js';
import { casesWith } from '../src/shared/conformance-case.js';
import * as erasers from './broken-history-backends/broken-erasers.js';
import * as expirers from './broken-history-backends/broken-expirers.js';
import * as keys from './broken-history-backends/broken-keys.js';
import * as racers from './broken-history-backends/broken-racers.js';
import * as readers from './broken-history-backends/broken-readers.js';
import * as replacers from './broken-history-backends/broken-replacers.js';
import * as texts from './broken-history-backends/broken-texts.js';
import * as writers from './broken-history-backends/broken-writers.js';
import { failuresOf } from './failures-of.js';
import {
  damageReference,
  ReferenceHistoryBackend,
  type ReferenceOptions,
  ReferenceStore,
} from './reference-history-backend.js';

type BackendClass = new (options: ReferenceOptions) => ReferenceHistoryBackend;

const abilities: HistoryAbilities = {
  replace: true,
  list: true,
  erase: true,
  expiry: true,
  durable: true,
  trimming: true,
  damage: true,
};

/** Each fault, and the case that must find it. Others may find it, too. */
const faults: readonly (readonly [BackendClass, string])[] = [
  [readers.NewestFirst, 'gives back what was appended, in order and numbered upwards'],
  [readers.OldestInsteadOfNewest, 'loads the newest N in order, for N of none, some, all and more'],
  [readers.ZeroIsEverything, 'loads the newest N in order, for N of none, some, all and more'],
  [readers.AcceptsAnyLimit, 'refuses a limit or a place that is no whole number of at least 0'],
  [readers.PagesOverlap, 'pages backwards without a gap or a repeat while messages are added'],
  [
    readers.RejectsUnknownHistories,
    'gives nothing, and no error, for a history that was never written',
  ],
  [readers.NewVersionAtEveryLook, 'changes nothing by an append of nothing'],
  [readers.HandsOutItsOwn, 'keeps nothing that a caller could change afterwards'],
  [readers.GivesUpOnDamage, 'returns what it can read when a record is damaged, and says so'],
  [readers.HidesDamage, 'returns what it can read when a record is damaged, and says so'],
  [readers.LosesNul, 'keeps every character of a message'],
  [readers.ParsesPayloads, 'keeps a payload that is not JSON as it is'],
  [readers.CutsLongMessages, 'keeps a message of 1 MiB among small ones'],
  [readers.TrimsIds, 'keeps ids and groups exactly, long ones included'],
  [readers.RewritesLayouts, 'says of which layout each record is, as it was told'],
  [readers.ListsByPrefix, 'takes the actor letter by letter, patterns and prefixes included'],
  [readers.ListsOnePage, 'lists every one of many histories once'],
  [readers.ListsOldestFirst, 'lists the histories of an actor, most recently written first'],
  [writers.KeepsAnotherContract, 'names the version of the contract it keeps'],
  [writers.OneByOne, 'writes nothing of an append that has one bad record'],
  [writers.NeverLooksAtIds, 'writes an id once that comes again in a later append'],
  [writers.ComparesTexts, 'keeps two messages with the same text and different ids'],
  [writers.OverwritesById, 'leaves a stored message as it is when its id comes with other content'],
  [writers.ForgetsRemovedIds, 'knows the ids of messages that were trimmed'],
  [writers.KeepsSummaries, 'drops a summary like any other message'],
  [writers.IgnoresTheSignal, 'does nothing when the signal has aborted, and gives its reason'],
  [writers.LosesTheRace, 'loses nothing when many write to one session at once'],
  [writers.KeepsTheKeyInItself, 'keeps sessions apart that are written at once'],
  [writers.ReadsItsInputLate, 'keeps nothing that a caller could change afterwards'],
  [
    writers.KeepsItInTheInstance,
    'finds everything again that was acknowledged before it was opened anew',
  ],
  [keys.JoinsKeysWithColon, 'never takes one session and source for another pair'],
  [keys.JoinsKeysSessionFirst, 'never takes one session and source for another pair'],
  [keys.IgnoresTheSource, 'keeps two sources of one session apart'],
  [keys.NormalisesKeys, 'takes session ids letter by letter, patterns and prefixes included'],
  [keys.CutsLongKeys, 'accepts ids of 256 bytes and tells them apart by the last one'],
  [keys.KeysByActor, 'does not tell a history by its actor'],
  [keys.AcceptsAnyKey, 'refuses ids that are empty, too long or no valid text, in every call'],
  [keys.ClearsByPrefix, 'clears the named session and no other'],
  [keys.RestartsAfterClear, 'forgets messages and ids when cleared, and counts on'],
  [keys.ForgetsTheActor, 'keeps the actor of a history when a later append names none'],
  [replacers.TrimsByCount, 'never parts a tool call from its results, parallel ones included'],
  [replacers.TrimsTooEarly, 'drops nothing while there are exactly maxMessages'],
  [replacers.AcceptsAnyMaximum, 'refuses a maxMessages that is no whole number of at least 1'],
  [replacers.TrimsAppendsOnly, 'trims what was put in place, too'],
  [replacers.IgnoresTheVersion, 'refuses to replace under a version that is not the stored one'],
  [
    replacers.ComparesThenWaits,
    'lets one of several replacements win that are made under one version at once',
  ],
  [
    replacers.RenumbersOnReplace,
    'replaces the history that was loaded: kept records keep their sequence',
  ],
  [replacers.ReplacesInTwoSteps, 'changes nothing by a replacement that has one bad record'],
  [
    replacers.ReplacesOnlyWhatIsThere,
    'replaces a history that was never written, and one by nothing',
  ],
  [replacers.KeepsRemovedOut, 'takes up a message again that was replaced before'],
  [
    replacers.ReplacesAfterAbort,
    'does not replace when the signal has aborted, and gives its reason',
  ],
  [racers.LooksBeforeItMakes, 'lets ten write the first message of a session at once'],
  [racers.MakesOthersWaitInVain, 'lets ten backends write the first message of a session at once'],
  [racers.LocksInItself, 'writes an id once when several backends append it at once'],
  [racers.ReplacesOverAppends, 'loses nothing when a replacement and an append are made at once'],
  [
    racers.ClearsInTwoSteps,
    'does either before the other when a history is cleared and appended to at once',
  ],
  [
    racers.ShowsRecordsAsWritesEnd,
    'never shows a message to a reader before the messages that precede it',
  ],
  [
    racers.ShowsOthersLate,
    'never shows a message before the messages that precede it, whichever backend wrote them',
  ],
  [racers.CountsPagesFromTheEnd, 'pages backwards without a gap or a repeat while others write'],
  [texts.CutsVeryLongMessages, 'keeps a message of 5 MB'],
  [texts.EndsAtNul, 'keeps U+0000 in a payload, and tells it from the text of its escape'],
  [
    texts.RoundsNumbers,
    'keeps numbers as they are written, those included that JavaScript cannot hold',
  ],
  [texts.FlattensKeys, 'keeps sessions and sources apart that differ in one odd character'],
  [texts.FoldsMessageIds, 'tells message ids apart that differ in one odd character'],
  [texts.CutsMessageIds, 'keeps message ids and groups of 1,024 bytes, and refuses longer ones'],
  [
    texts.ListsCutKeys,
    'lists each key as it was written, with odd characters and as long as it may be',
  ],
  [
    texts.ListsEachWrite,
    'lists a history once, in the place of its last write, however often it was written',
  ],
  [
    erasers.ErasesOnePage,
    'erases every one of many histories of an actor, and says how many there were',
  ],
  [erasers.ErasesMessagesOnly, 'lists nothing of an actor who was erased'],
  [
    erasers.ErasesByPrefix,
    'erases the named actor letter by letter, patterns and prefixes included',
  ],
  [
    erasers.ErasesWithEveryWriter,
    'erases a history with the actor who was named last, and with no other',
  ],
  [erasers.ReplacesWithoutActor, 'erases a history with the actor whom a replacement named'],
  [erasers.RestartsAfterErasure, 'refuses a version from before the history was erased'],
  [
    erasers.ErasesWhatItCounted,
    'leaves no history in part that is written while its actor is erased',
  ],
  [
    erasers.ErasesUnasked,
    'refuses to erase what is no actor, and does not erase when the signal has aborted',
  ],
  [
    expirers.KeepsIdsForEver,
    'forgets a session as a whole when its time is over, trimmed ids included',
  ],
  [expirers.NeverSlides, 'counts the time from the last write, and from no read'],
  [expirers.RefreshesByEveryRead, 'counts the time from the last write, and from no read'],
  [expirers.RefreshesByAppendOnly, 'counts the time from the last replacement, too'],
  [expirers.AlwaysSlides, 'counts a fixed time from the first write, whatever is written later'],
  [expirers.KeepsTheTimeOfTheCleared, 'counts a fixed time anew when the session was cleared'],
  [expirers.NeverRefreshesByRead, 'takes a read for a write when it is asked to'],
  [expirers.RestartsAfterExpiry, 'takes an expired session for one that was never written'],
  [expirers.ListsTheExpired, 'lists no session that has expired, and the others'],
  [expirers.CountsTheExpired, 'counts no expired session among those that it erases'],
  [expirers.ExpiresBySession, 'expires each session by itself, and none without a ttl'],
  [
    expirers.TrimsNothingThatExpires,
    'trims by whole groups what will expire, and expires what was trimmed',
  ],
  [expirers.AcceptsAnyTime, 'refuses times that are none, and options that would do nothing'],
];

describe('the kit for history backends', () => {
  const failures = new Map<BackendClass, readonly string[]>();

  beforeAll(async () => {
    for (const [Backend] of faults) failures.set(Backend, await failuresOfBackend(Backend));
  }, 240_000);

  it('gives every case a name of its own', () => {
    const names = historyBackendCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('passes a correct backend', async () => {
    expect(await failuresOfBackend(ReferenceHistoryBackend)).toEqual([]);
  });

  it('passes a correct backend that goes by the clock of the machine', async () => {
    const cases = casesWith(historyBackendCases, abilities);
    const expiring = cases.filter(({ needs }) => needs?.includes('expiry'));
    const create = () => {
      const store = new ReferenceStore(() => performance.now());
      return {
        open: (options: OpenHistoryOptions) => new ReferenceHistoryBackend({ ...options, store }),
      };
    };
    expect(await failuresOf(expiring, (testCase) => runHistoryCase(testCase, create))).toEqual([]);
  }, 20_000);

  it.each(faults.map(([Backend, name]) => ({ Backend, fault: Backend.name, name })))(
    'fails $fault at "$name"',
    ({ Backend, name }) => {
      expect(failures.get(Backend)).toContain(name);
    },
  );

  it('fails a backend that has a method it does not declare', async () => {
    const create = storesOf(ReferenceHistoryBackend);
    await runHistoryCase(declarationCase(abilities), create);
    const undeclared = runHistoryCase(declarationCase({ replace: true }), create);
    await expect(undeclared).rejects.toThrow();
  });

  it('refuses a skip without a reason, and one of a case that is not run', () => {
    const suite = { name: 'any', create: storesOf(ReferenceHistoryBackend) };
    const [name = ''] = historyBackendCases.map((testCase) => testCase.name);
    const [listed = ''] = historyBackendCases
      .filter(({ needs }) => needs?.includes('list'))
      .map((testCase) => testCase.name);
    for (const [test, reason] of [
      [name, ' '],
      ['no such case', 'it is gone'],
      [listed, 'list is not declared'],
    ] as const) {
      expect(() => testHistoryBackend({ ...suite, skip: [{ test, reason }] })).toThrow(/^skip: /);
    }
  });

  it('has no case that nothing can fail', () => {
    const failed = new Set([...failures.values()].flat());
    const names = historyBackendCases.map(({ name }) => name);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
  });
});

/** The names of the cases that a backend does not pass. */
function failuresOfBackend(Backend: BackendClass): Promise<readonly string[]> {
  const cases = casesWith(historyBackendCases, abilities);
  return failuresOf(cases, (testCase) => runHistoryCase(testCase, storesOf(Backend)));
}

function storesOf(Backend: BackendClass): HistorySuiteOptions['create'] {
  return () => {
    let now = 0;
    const store = new ReferenceStore(() => now);
    return {
      open: (options) => new Backend({ ...options, store }),
      advance: (milliseconds) => {
        now += milliseconds;
      },
      damage: (key) => damageReference(store, new Backend({ store }).nameOf(key)),
    };
  };
}
