import { invalidParameter } from '@minne/core/memory';

/** The part of a schema that a decoder needs; those of `@minne/core/memory` have it. */
interface Schema<Output> {
  safeParse(value: unknown):
    | { readonly success: true; readonly data: Output }
    | {
        readonly success: false;
        readonly error: {
          readonly issues: readonly {
            readonly path: readonly PropertyKey[];
            readonly message: string;
          }[];
        };
      };
}

/**
 * The value as the schema describes it, without the members that the schema does not know.
 * @param name - What the value is called where the fault lies in the value itself.
 * @throws MemoryError that names the first member that does not fit.
 */
export function decode<Output>(schema: Schema<Output>, value: unknown, name = 'body'): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.map(String).join('.');
  throw invalidParameter(
    path === '' || path === undefined ? name : path,
    `cannot be used: ${issue?.message}.`,
  );
}
