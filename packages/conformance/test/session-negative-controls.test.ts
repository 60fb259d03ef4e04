import { beforeAll, describe, expect, it } from 'vitest';
import { testSessionStore } from '../src/session/index.js';
import { runSessionStoreCase, sessionStoreCases } from '../src/session/session-store-cases.js';
import type { SessionSuiteOptions } from '../src/session/session-suite-options.js';
import * as readers from './broken-session-stores/broken-readers.js';
import * as values from './broken-session-stores/broken-values.js';
import * as writers from './broken-session-stores/broken-writers.js';
import { failuresOf } from './failures-of.js';
import {
  damageReference,
  type ReferencePlace,
  ReferenceSessionStore,
} from './reference-session-store.js';

type StoreClass = new (place: ReferencePlace) => ReferenceSessionStore;

/** Each fault, and the case that must find it. Others may find it, too. */
const faults: readonly (readonly [StoreClass, string])[] = [
  [writers.KeepsAnotherContract, 'names the version of the contract it keeps'],
  [writers.MergesStates, 'replaces a session whole, leaving nothing of what was there'],
  [
    writers.IgnoresVersions,
    'refuses a write under another version than the stored one, and changes nothing',
  ],
  [writers.TakesNullForAny, 'writes under null only when there is no session yet'],
  [writers.TakesAnyVersionForNew, 'refuses a version where there is no session'],
  [
    writers.RefusesEveryVersion,
    'writes under the version that was read, and under the one that a write gave',
  ],
  [writers.HashesContent, 'changes the version with every write, of the same session again, too'],
  [
    writers.CountsFromOneAgain,
    'takes no version of a session that was deleted for the one that was written after it',
  ],
  [
    writers.ComparesThenWaits,
    'lets one of several writers win that write under one version at once',
  ],
  [writers.ComparesThenWaits, 'loses none of many increments that are made at once'],
  [writers.QueuesInItself, 'lets one of several stores win that write under one version at once'],
  [
    writers.QueuesInItself,
    'loses none of many increments that are made through several stores at once',
  ],
  [writers.KeepsTheIdInItself, 'keeps sessions apart that are written at once'],
  [writers.ReadsItsInputLate, 'keeps nothing that a caller could change afterwards'],
  [writers.IgnoresTheSignal, 'does nothing when the signal has aborted, and gives its reason'],
  [
    writers.DeletesWithoutLooking,
    'forgets a deleted session and no other, and says whether there was one',
  ],
  [writers.LooksThenDeletes, 'says of one of several deletions that there was a session'],
  [
    writers.DeletesByPrefix,
    'forgets a deleted session and no other, and says whether there was one',
  ],
  [
    writers.KeepsItInTheInstance,
    'finds everything again that was acknowledged before it was opened anew',
  ],
  [writers.KeepsItInTheInstance, 'sees at once what another store has written or deleted'],
  [
    readers.RejectsUnknownSessions,
    'has nothing, and no error, for a session that was never written',
  ],
  [
    readers.TellsTheTimeOfReading,
    'gives back the session that was written, under the version and time it was written with',
  ],
  [
    readers.TrustsTheClock,
    'moves updatedAt forward with every write, when the clock stands still or goes back, too',
  ],
  [
    readers.KeepsTheFirstTime,
    'moves updatedAt forward with every write, when the clock stands still or goes back, too',
  ],
  [
    readers.ListsByTime,
    'lists the most recently written first, of those written in one millisecond, too',
  ],
  [readers.ListsOldestFirst, 'lists the sessions of one actor, most recently written first'],
  [readers.KeepsTheFirstTime, 'lists times that never rise from one session to the next'],
  [readers.PagesByOffset, 'lists every one of many sessions once, while others are written'],
  [
    readers.ListsByPattern,
    'takes the actor letter by letter, patterns, prefixes and forms included',
  ],
  [
    readers.TakesNoActorForAll,
    'refuses an actor that is empty or no valid text, instead of listing all',
  ],
  [readers.KeepsTheFirstActor, 'lists a session under the actor of its latest write only'],
  [readers.ListsWithoutActors, 'lists each session as the write gave it and as it is read'],
  [
    readers.GivesUpOnDamage,
    'sets a damaged session aside, keeps the others, and takes the session up anew',
  ],
  [
    readers.LeavesDamageInPlace,
    'sets a damaged session aside, keeps the others, and takes the session up anew',
  ],
  [readers.HandsOutItsOwn, 'keeps nothing that a caller could change afterwards'],
  ...[values.IgnoresCase, values.ReplacesCharacters, values.NormalisesIds].map(
    (Store) =>
      [
        Store,
        'takes session ids letter by letter: paths, patterns, names of devices, forms of a letter',
      ] as const,
  ),
  [values.CutsLongIds, 'accepts ids of 256 bytes and tells them apart by the last one'],
  [values.AcceptsAnyId, 'refuses ids that are empty, too long or no valid text, in every call'],
  [values.AcceptsAnything, 'refuses what is no session or no JSON, and writes nothing of it'],
  [values.EndsAtNul, 'keeps every character of a session, in values and in names'],
  [values.LosesHalfPairs, 'keeps every character of a session, in values and in names'],
  [values.AssignsMembers, 'keeps every kind of JSON value, and every name'],
  [values.RewritesLayouts, 'keeps members and versions of a session that it does not know'],
  [values.CutsLongSessions, 'keeps a session of 4 MiB'],
];

describe('the kit for session stores', () => {
  const failures = new Map<StoreClass, readonly string[]>();

  beforeAll(async () => {
    for (const Store of new Set(faults.map(([broken]) => broken))) {
      failures.set(Store, await failuresIn(Store));
    }
  }, 60_000);

  it('gives every case a name of its own', () => {
    const names = sessionStoreCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('passes a correct store', async () => {
    expect(await failuresIn(ReferenceSessionStore)).toEqual([]);
  });

  it.each(faults.map(([Store, name]) => ({ Store, fault: Store.name, name })))(
    'fails $fault at "$name"',
    ({ Store, name }) => {
      expect(failures.get(Store)).toContain(name);
    },
  );

  it('has no case that nothing can fail', () => {
    const failed = new Set([...failures.values()].flat());
    const names = sessionStoreCases.map(({ name }) => name);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
  });

  it('refuses a skip without a reason, and one of a case that is not run', () => {
    const suite = { name: 'any', create: placesOf(ReferenceSessionStore) };
    const damage = sessionStoreCases.find(({ needs }) => needs?.includes('damage'));
    for (const [test, reason] of [
      ['names the version of the contract it keeps', ' '],
      ['no such case', 'it is gone'],
      [damage?.name ?? '', 'damage is not declared'],
    ] as const) {
      expect(() => testSessionStore({ ...suite, skip: [{ test, reason }] })).toThrow(/^skip: /);
    }
  });
});

function failuresIn(Store: StoreClass): Promise<readonly string[]> {
  return failuresOf(sessionStoreCases, (testCase) =>
    runSessionStoreCase(testCase, placesOf(Store)),
  );
}

function placesOf(Store: StoreClass): SessionSuiteOptions['create'] {
  return () => {
    const place: ReferencePlace = { sessions: new Map(), writes: 0 };
    return { open: () => new Store(place), damage: (id) => damageReference(place, id) };
  };
}
