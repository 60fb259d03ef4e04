import { WireRefusal } from './wire-refusal.js';

/** A JSON object as it came. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Whether `value` is an object and no list. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws WireRefusal when `value` is no object. */
export function expectRecord(value: unknown, at: string): JsonRecord {
  if (!isRecord(value)) throw new WireRefusal(`${at} must be an object.`);
  return value;
}

/** @throws WireRefusal when `record` has a member that is not among `known`. */
export function refuseUnknown(record: JsonRecord, known: readonly string[], at: string): void {
  for (const name of Object.keys(record)) {
    if (!known.includes(name)) throw new WireRefusal(`${at} has no parameter ${name}.`);
  }
}

/** @throws WireRefusal when `value` is there and no text with something in it. */
export function optionalText(value: unknown, at: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' || value.trim() === '') {
    throw new WireRefusal(`${at} must be a non-empty string.`);
  }
  return value;
}
