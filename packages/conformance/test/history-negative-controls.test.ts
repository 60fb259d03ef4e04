import { beforeAll, describe, expect, it } from 'vitest';
import { historyBackendCases, runHistoryCase } from '../src/history/history-backend-cases.js';
import {
  type HistoryAbilities,
  type HistorySuiteOptions,
  testHistoryBackend,
} from '../src/history/index.js';
import { declarationCase } from '../src/history/test-history-backend.js';
import { casesWith } from '../src/shared/conformance-case.js';
import * as keys from './broken-history-backends/broken-keys.js';
import * as readers from './broken-history-backends/broken-readers.js';
import * as replacers from './broken-history-backends/broken-replacers.js';
import * as writers from './broken-history-backends/broken-writers.js';
import { failuresOf } from './failures-of.js';
import {
  damageReference,
  ReferenceHistoryBackend,
  type ReferenceOptions,
  type ReferenceStore,
} from './reference-history-backend.js';

type BackendClass = new (options: ReferenceOptions) => ReferenceHistoryBackend;

const abilities: HistoryAbilities = {
  replace: true,
  list: true,
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
];

describe('the kit for history backends', () => {
  const failures = new Map<BackendClass, readonly string[]>();

  beforeAll(async () => {
    for (const [Backend] of faults) failures.set(Backend, await failuresOfBackend(Backend));
  }, 60_000);

  it('gives every case a name of its own', () => {
    const names = historyBackendCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('passes a correct backend', async () => {
    expect(await failuresOfBackend(ReferenceHistoryBackend)).toEqual([]);
  });

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
    const store: ReferenceStore = new Map();
    return {
      open: (options) => new Backend({ ...options, store }),
      damage: (key) => damageReference(store, new Backend({ store }).nameOf(key)),
    };
  };
}
