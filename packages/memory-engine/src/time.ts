import { invalidParameter } from '@minne/core/memory';

const pattern =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:([Zz])|([+-]\d{2}):?(\d{2}))?)?$/;

/**
 * Reads an RFC 3339 time. Text without a zone is read as UTC, a date alone as its first moment, and
 * what is finer than milliseconds is cut.
 * @returns RFC 3339 in UTC with milliseconds.
 * @throws MemoryError `INVALID_PARAMETER_VALUE` for anything else, and for days that no calendar has.
 */
export function parseTime(value: unknown, field: string): string {
  const match = typeof value === 'string' ? pattern.exec(value) : null;
  if (match === null) throw invalidTime(field);
  const [, date, time = '00:00', seconds = '00', fraction = '', , hours = '+00', minutes = '00'] =
    match;
  const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
  const local = Date.parse(`${date}T${time}:${seconds}.${milliseconds}Z`);
  // The 31st of a shorter month is taken for a day of the next one.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(`${date}T${time}`)) {
    throw invalidTime(field);
  }
  const instant = Date.parse(`${date}T${time}:${seconds}.${milliseconds}${hours}:${minutes}`);
  if (Number.isNaN(instant)) throw invalidTime(field);
  const text = new Date(instant).toISOString();
  if (text.length !== 'yyyy-mm-ddThh:mm:ss.sssZ'.length) throw invalidTime(field);
  return text;
}

function invalidTime(field: string): Error {
  return invalidParameter(
    field,
    'must be a time such as 2026-05-01T10:00:00Z (RFC 3339, years 0000 to 9999).',
  );
}

/** The time `now`, or the millisecond after `previous` where the clock has not moved past it. */
export function timeAfter(previous: string, now: string): string {
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString();
}
