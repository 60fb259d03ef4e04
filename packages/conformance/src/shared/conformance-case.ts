/** One promise of a contract, and how to see whether an implementation keeps it. */
export interface ConformanceCase<Context, Abilities> {
  /** The behaviour, as a sentence about the implementation. Unique within the kit. */
  readonly name: string;
  /** What an implementation must declare for the case to be run. */
  readonly needs?: readonly (keyof Abilities)[];
  /** What an implementation must not declare for the case to be run. */
  readonly unless?: readonly (keyof Abilities)[];
  /** Rejects when the implementation does not keep the promise. */
  run(context: Context): Promise<void>;
}

/** A case that an implementation does not pass, and why that is accepted. */
export interface SkippedCase {
  /** The name of the case. */
  readonly test: string;
  /** Printed with the skipped test. */
  readonly reason: string;
}

/** The cases that an implementation with these abilities has to pass. */
export function casesWith<Context, Abilities>(
  cases: readonly ConformanceCase<Context, Abilities>[],
  abilities: NoInfer<Abilities> | undefined,
): readonly ConformanceCase<Context, Abilities>[] {
  const has = (ability: keyof Abilities): boolean => abilities?.[ability] === true;
  return cases.filter(({ needs = [], unless = [] }) => needs.every(has) && !unless.some(has));
}
