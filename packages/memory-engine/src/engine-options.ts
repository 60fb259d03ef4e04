import { ConfigurationError } from '@minne/core';

/** The longest time that an option may name, in milliseconds: 100 years. */
const longestDuration = 100 * 365 * 24 * 60 * 60 * 1000;

/** @throws ConfigurationError unless `value` is a number of milliseconds. */
export function checkDuration(value: unknown, field: string): number {
  if (typeof value === 'number' && value >= 0 && value <= longestDuration) return value;
  throw wrong(field, 'a number of milliseconds from 0 to 100 years');
}

/** @throws ConfigurationError unless `value` is a number of bytes. */
export function checkSize(value: unknown, field: string): number {
  if (typeof value === 'number' && value >= 0) return value;
  throw wrong(field, 'a number of bytes, 0 or more');
}

function wrong(field: string, expected: string): ConfigurationError {
  return new ConfigurationError(`${field} of the memory engine must be ${expected}.`, {
    packageName: '@minne/memory-engine',
    field,
  });
}
