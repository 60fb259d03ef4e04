import { describe, it } from 'vitest';
import { type ConformanceCase, casesWith, type SkippedCase } from './conformance-case.js';

const defaultTimeout = 20_000;

/** What the options of every kit have in common. */
export interface SuiteOptions<Abilities extends object> {
  /** Names the implementation in the test report. */
  readonly name: string;
  /** What it says it can do. The kit holds it to what is declared and to nothing else. */
  readonly abilities?: Abilities;
  /** Cases to leave out. Default: none. */
  readonly skip?: readonly SkippedCase[];
  /** Milliseconds that one case may take. Default 20,000. */
  readonly timeout?: number;
}

/** A kit: its contract, its cases, and how one of them is run. */
export interface Kit<Context, Abilities extends object> {
  readonly contract: string;
  readonly cases: readonly ConformanceCase<Context, Abilities>[];
  readonly suite: SuiteOptions<Abilities>;
  run(testCase: ConformanceCase<Context, Abilities>): Promise<void>;
}

/**
 * Registers the cases of a kit with vitest. Cases that the abilities leave out are counted in the
 * title; those named in `skip` appear as skipped, with their reason.
 *
 * @throws Error when `skip` names a case that is not run, or gives no reason.
 */
export function registerCases<Context, Abilities extends object>(
  kit: Kit<Context, Abilities>,
): void {
  const { name, abilities, skip = [], timeout = defaultTimeout } = kit.suite;
  const cases = casesWith(kit.cases, abilities);
  const reasons = new Map(skip.map(({ test, reason }) => [test, reason]));
  for (const [test, reason] of reasons) {
    if (reason.trim() === '') throw new Error(`skip: "${test}" has no reason. Give one.`);
    if (!cases.some((testCase) => testCase.name === test)) {
      throw new Error(`skip: no case that is run has the name "${test}". Remove the entry.`);
    }
  }
  const left = leftOut(kit.cases, cases, abilities);
  describe(`${name} keeps the contract of ${kit.contract}${left}`, () => {
    for (const testCase of cases) {
      const reason = reasons.get(testCase.name);
      it(testCase.name, { timeout }, async (test) => {
        if (reason !== undefined) test.skip(reason);
        await kit.run(testCase);
      });
    }
  });
}

function leftOut<Context, Abilities>(
  all: readonly ConformanceCase<Context, Abilities>[],
  run: readonly ConformanceCase<Context, Abilities>[],
  abilities: Abilities | undefined,
): string {
  const left = all.filter((testCase) => !run.includes(testCase));
  if (left.length === 0) return '';
  const reasons = left.flatMap(({ needs = [], unless = [] }) => [
    ...needs.filter((ability) => abilities?.[ability] !== true).map((name) => `no ${String(name)}`),
    ...unless.filter((ability) => abilities?.[ability] === true).map(String),
  ]);
  return ` (${left.length} cases left out: ${[...new Set(reasons)].join(', ')})`;
}
