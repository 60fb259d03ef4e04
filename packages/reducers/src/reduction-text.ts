import type { ReductionReport } from '@minne/core';

const number = new Intl.NumberFormat('en');

/**
 * A report as a line that one can read, such as `message_counting: kept 20 of 45 messages, dropped 25
 * (1,800 → 700 tokens). 45 messages are over 40; 20 are left of at most 20.`
 */
export function reductionText(report: ReductionReport): string {
  const { reducer, reason, kept, dropped, summarised, rewritten = 0 } = report;
  const { tokensBefore, tokensAfter } = report;
  const all = kept + dropped + summarised;
  const parts = [`kept ${number.format(kept)} of ${number.format(all)} messages`];
  if (rewritten > 0) parts.push(`${number.format(rewritten)} of them in another form`);
  if (dropped > 0) parts.push(`dropped ${number.format(dropped)}`);
  if (summarised > 0) parts.push(`summarised ${number.format(summarised)}`);
  const tokens =
    tokensBefore === undefined || tokensAfter === undefined
      ? ''
      : ` (${number.format(tokensBefore)} → ${number.format(tokensAfter)} tokens)`;
  return `${reducer}: ${parts.join(', ')}${tokens}. ${reason}`;
}

/** Reports as text, a line each. */
export function reductionsText(reports: readonly ReductionReport[]): string {
  return reports.map(reductionText).join('\n');
}
