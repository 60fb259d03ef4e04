import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { ChatReducerAbilities, ChatReducerSuiteOptions } from '../src/reducer/index.js';
import type { ChatReducerCase } from '../src/reducer/reducer-case.js';
import { chatReducerCases, runChatReducerCase } from '../src/reducer/reducer-cases.js';
import { casesWith } from '../src/shared/conformance-case.js';
import { failuresOf } from './failures-of.js';

/** A class of reducers, and what they declare. */
export type ReducerClass = new (
  parts: Parameters<ChatReducerSuiteOptions['create']>[0],
) => Awaited<ReturnType<ChatReducerSuiteOptions['create']>>;

/** A broken reducer, and the cases that must find it. */
export interface ReducerFault {
  readonly Reducer: ReducerClass;
  readonly names: readonly string[];
  /** Whether it breaks what most cases expect, so that others find it, too. Default: none may. */
  readonly everywhere?: boolean;
}

/** A broken reducer that these cases find, and no other. */
export function found(Reducer: ReducerClass, ...names: readonly string[]): ReducerFault {
  return { Reducer, names };
}

/** A broken reducer that these cases find, and many others. */
export function foundEverywhere(Reducer: ReducerClass, ...names: readonly string[]): ReducerFault {
  return { Reducer, names, everywhere: true };
}

/** The name of the case that is about histories with something odd in them. */
export function lawsOn(oddity: string): string {
  return `keeps every law on histories with ${oddity}`;
}

/** The names of the cases that a reducer does not pass. */
function failuresIn(
  { Reducer }: ReducerFault,
  abilities: ChatReducerAbilities,
): Promise<readonly string[]> {
  return failuresOf(casesWith(chatReducerCases, abilities), (testCase) =>
    runChatReducerCase(testCase, make(Reducer)),
  );
}

/** Registers that a correct reducer passes every case. */
export function itPasses(Reducer: ReducerClass, abilities: ChatReducerAbilities): void {
  it(`passes ${Reducer.name}`, async () => {
    const failures = await failuresIn({ Reducer, names: [] }, abilities);
    expect(failures).toEqual([]);
  }, 60_000);
}

/** Registers that each broken reducer fails where it must, and nowhere else. */
export function itFails(
  faults: readonly ReducerFault[],
  abilities: ChatReducerAbilities,
  failures: Set<string>,
): void {
  it.each(faults.map((fault) => ({ ...fault, fault: fault.Reducer.name })))(
    'fails $fault at the cases that are about it',
    async (fault) => {
      const names = await failuresIn(fault, abilities);
      for (const name of names) failures.add(name);
      if (fault.everywhere === true)
        expect(names).toEqual(expect.arrayContaining([...fault.names]));
      else expect(names.toSorted()).toEqual(fault.names.toSorted());
    },
    60_000,
  );
}

/** Registers that each of these cases was failed by some broken reducer. */
export function itHasNoIdleCase(
  isMeant: (testCase: ChatReducerCase) => boolean,
  failures: ReadonlySet<string>,
): void {
  it('has no case that nothing can fail', () => {
    const names = chatReducerCases.filter(isMeant).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !failures.has(name))).toEqual([]);
  });
}

/** Registers that the README of the kit tells how many there are. */
export function itIsTold(...claims: readonly string[]): void {
  it.each(claims)('says in the README: %s', (claim) => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    expect(readme.replaceAll(/\s+/g, ' ')).toContain(claim);
  });
}

/** How many of the cases are meant. */
export function countCases(isMeant: (testCase: ChatReducerCase) => boolean): number {
  return chatReducerCases.filter(isMeant).length;
}

function make(Reducer: ReducerClass): ChatReducerSuiteOptions['create'] {
  return (parts) => new Reducer(parts);
}
