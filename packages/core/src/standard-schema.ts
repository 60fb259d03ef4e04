import type { JsonObject } from './json.js';

/**
 * The part of the Standard Schema specification (version 1, with its JSON Schema extension) that is
 * needed here. zod from 4.2 on implements it, and other schema libraries do too; so schemas are taken
 * without importing any of them.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    validate(value: unknown): StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema?: {
      input(options: { readonly target: 'draft-2020-12' }): Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

/** What a validation gives: a value, or the issues that stand in its way. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** One thing wrong with a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Whether `value` is a schema of a library rather than a JSON Schema. */
export function isStandardSchema(value: StandardSchema | JsonObject): value is StandardSchema {
  return '~standard' in value;
}

/** The issues in one line: `seats[0].row: expected a number; …`. */
export function describeIssues(issues: readonly StandardIssue[]): string {
  return issues.map(describeIssue).join('; ');
}

function describeIssue({ message, path = [] }: StandardIssue): string {
  let at = '';
  for (const step of path) {
    const key = typeof step === 'object' ? step.key : step;
    at += typeof key === 'number' ? `[${key}]` : `${at === '' ? '' : '.'}${String(key)}`;
  }
  return at === '' ? message : `${at}: ${message}`;
}
