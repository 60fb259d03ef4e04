/** Rounds of the short form, part of `npm test`, and of the long one, `npm run test:faults`. */
const [short, long] = [20, 1000] as const;

/** How often each fault is made: `MINNE_FAULT_ROUNDS`, or 20. */
export const rounds = readRounds(process.env['MINNE_FAULT_ROUNDS']);

/** A count that grows with the rounds: `few` at 20 of them, `many` at 1,000. */
export function scaled(few: number, many: number): number {
  const share = (rounds - short) / (long - short);
  return Math.max(1, Math.round(few + (many - few) * share));
}

/** Milliseconds that a test may take: `few` at 20 rounds, and in proportion with more. */
export function timeLimit(few: number): number {
  return few * Math.max(1, rounds / short);
}

function readRounds(text: string | undefined): number {
  const given = Number(text ?? short);
  if (Number.isSafeInteger(given) && given >= 1) return given;
  throw new Error(`MINNE_FAULT_ROUNDS is ${text}. Give it a whole number of at least 1.`);
}
