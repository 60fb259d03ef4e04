import type { SQLOutputValue } from 'node:sqlite';
import { MemoryError } from '@minne/core/memory';
import { packageName } from './package-name.js';

/** A row as SQLite gives it. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column);
  return value;
}

export function textOrNullOf(row: Row, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

export function integerOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column);
  return value;
}

export function bytesOf(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column);
  return value;
}

/** A map of strings, stored as JSON. */
export function mapOf(row: Row, column: string): Readonly<Record<string, string>> {
  const value = parse(textOf(row, column));
  if (typeof value !== 'object' || value === null) throw unexpected(column);
  return Object.fromEntries(Object.entries(value).map(([key, text]) => [key, String(text)]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no map, which the caller reports.
    return undefined;
  }
}

function unexpected(column: string): MemoryError {
  return new MemoryError(
    'INTERNAL_ERROR',
    `Column ${column} of the memory database holds something else than this package writes there.`,
    { packageName },
  );
}
