import { beforeAll, describe, expect, it } from 'vitest';
import {
  contextProviderCases,
  runContextProviderCase,
} from '../src/context-provider/context-provider-cases.js';
import type { ContextProviderSuiteOptions } from '../src/context-provider/provider-suite-options.js';
import * as broken from './broken-context-providers.js';
import { failuresOf } from './failures-of.js';
import { type NotesService, ReferenceContextProvider } from './reference-context-provider.js';

type ProviderClass = new (service: NotesService) => ReferenceContextProvider;

const early = [
  'the model failed',
  'the run was aborted while the model was thinking',
  'the stream was left',
];

/** Each fault, and the case that must find it. Others may find it, too. */
const faults: readonly (readonly [ProviderClass, string])[] = [
  [broken.KeepsAnotherContract, 'names the version of the contract it keeps'],
  [
    broken.NamesItselfAtRandom,
    'has a sourceId that is valid text, and the same in every instance and after every run',
  ],
  [broken.KeepsDates, 'keeps nothing but JSON in the session'],
  [broken.SharesNotes, 'tells nothing of what one person said in the session of another'],
  [broken.IgnoresCase, 'tells nothing of what one person said in the session of another'],
  [broken.KeepsTheRunInItself, 'keeps sessions apart that are run at once'],
  [
    broken.MakesUpAnActor,
    'works without an actor, or says that it needs one, and shares nothing among such sessions',
  ],
  [
    broken.KnowsSessionObjects,
    'goes on with a session that was written down and taken up again as with the session itself',
  ],
  [
    broken.CountsInItself,
    'keeps nothing about a session in itself: a fresh instance goes on like the first',
  ],
  [
    broken.PushesIntoTheInput,
    'changes nothing of a run: neither input nor history nor what came of it',
  ],
  [
    broken.EditsTheInput,
    'adds nothing to what is stored: the input as it came and the answers, each once',
  ],
  [
    broken.EditsTheOutcome,
    'changes nothing of a run: neither input nor history nor what came of it',
  ],
  [broken.WritesElsewhere, 'changes nothing of a session but its own slot'],
  [broken.SpeaksAsSystem, 'speaks to the model neither as system nor as developer'],
  [broken.TakesCommonNames, 'adds tools, if any, that do not get in the way of those of the agent'],
  [broken.FailsAfterwards, 'takes note of a run that came to its end without an error'],
  ...early.map(
    (ending) =>
      [
        broken.ExpectsAnAnswer,
        `takes note without an error that ${ending}, and goes on with the session`,
      ] as const,
  ),
  [broken.WritesAfterAbort, 'does nothing in a hook whose signal has aborted before'],
  [broken.WaitsForEver, 'ends a hook that is waiting when its signal aborts, with the reason'],
  [broken.ReadsTheFirstText, 'takes input of every shape, and input after it'],
  [broken.SendsTextInAddresses, 'takes text in every script, and hands it to the model unchanged'],
];

describe('the kit for context providers', () => {
  const failures = new Map<ProviderClass, readonly string[]>();

  beforeAll(async () => {
    for (const Provider of new Set(faults.map(([Faulty]) => Faulty))) {
      failures.set(Provider, await failuresIn(Provider));
    }
  }, 60_000);

  it('gives every case a name of its own', () => {
    const names = contextProviderCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('passes a correct provider', async () => {
    expect(await failuresIn(ReferenceContextProvider)).toEqual([]);
  });

  it.each(faults.map(([Provider, name]) => ({ Provider, fault: Provider.name, name })))(
    'fails $fault at "$name"',
    ({ Provider, name }) => {
      expect(failures.get(Provider)).toContain(name);
    },
  );

  it('has no case that nothing can fail', () => {
    const failed = new Set([...failures.values()].flat());
    const names = contextProviderCases.map(({ name }) => name);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
  });
});

function failuresIn(Provider: ProviderClass): Promise<readonly string[]> {
  return failuresOf(contextProviderCases, (testCase) =>
    runContextProviderCase(testCase, placesOf(Provider)),
  );
}

function placesOf(Provider: ProviderClass): ContextProviderSuiteOptions['create'] {
  return () => {
    const service: NotesService = { notes: new Map(), stalled: false };
    return {
      open: () => new Provider(service),
      stall: () => {
        service.stalled = true;
      },
    };
  };
}
