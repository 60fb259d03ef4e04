import type { JsonSchema } from './chat-client.js';
import { ConfigurationError, InvalidInputError } from './errors.js';
import { isJsonObject, toJsonValue } from './json.js';
import { describeIssues, isStandardSchema, type StandardSchema } from './standard-schema.js';
import type { Tool, ToolContext } from './tool.js';

/** What a tool is made of. */
export interface DefineToolOptions<Input> {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  readonly description: string;
  /** A schema of zod (4.2 or later) or another Standard Schema library, or a JSON Schema of an object. */
  readonly parameters: StandardSchema<Input> | JsonSchema;
  /** Whether each call waits for a person's consent. Default false. */
  readonly requiresApproval?: boolean;
  /** Milliseconds after which the call becomes an error result. Default: no limit. */
  readonly timeout?: number;
  /** Does the work. What it throws is told to the model. */
  execute(input: Input, context: ToolContext): unknown | Promise<unknown>;
}

/** Milliseconds; the longest that a timer of the platform can wait. */
const maximumTimeout = 2_147_483_647;

/** The names that every service accepts. */
const toolNamePattern = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Makes a tool whose arguments are checked before it runs.
 * @throws ConfigurationError when the name, the schema or the timeout cannot be used.
 */
export function defineTool<Input>(options: DefineToolOptions<Input>): Tool {
  if (!toolNamePattern.test(options.name)) {
    throw new ConfigurationError(
      `The tool name ${JSON.stringify(options.name)} cannot be used: services accept 1 to 64 characters of A-Z, a-z, 0-9, "_" and "-".`,
      { packageName: '@minne/core', field: 'name' },
    );
  }
  const { parameters } = options;
  if (typeof parameters !== 'object' && typeof parameters !== 'function') {
    throw new ConfigurationError(
      `The tool ${options.name} has no parameters. Give it a schema; for none, { type: 'object', properties: {} }.`,
      { packageName: '@minne/core', field: 'parameters' },
    );
  }
  const { timeout } = options;
  if (
    timeout !== undefined &&
    !(Number.isInteger(timeout) && timeout >= 1 && timeout <= maximumTimeout)
  ) {
    throw new ConfigurationError(
      `The timeout of ${options.name} is ${timeout}; give whole milliseconds from 1 to ${maximumTimeout}, or leave it out for no limit.`,
      { packageName: '@minne/core', field: 'timeout' },
    );
  }
  const check = isStandardSchema(parameters)
    ? (input: unknown) => validate(parameters, input, options.name)
    : checkJsonSchema(parameters, options.name);
  return {
    specificationVersion: 'v1',
    name: options.name,
    description: options.description,
    parameters: isStandardSchema(parameters) ? schemaOf(parameters, options.name) : parameters,
    ...(options.requiresApproval === undefined
      ? {}
      : { requiresApproval: options.requiresApproval }),
    ...(timeout === undefined ? {} : { timeout }),
    parse: check,
    // What `parse` returned is what `execute` is given: the schema vouches for its type.
    execute: (input, context) => options.execute(input as Input, context),
  };
}

async function validate(schema: StandardSchema, input: unknown, name: string): Promise<unknown> {
  const result = await schema['~standard'].validate(input);
  if (result.issues === undefined) return result.value;
  throw new InvalidInputError(
    `The arguments of ${name} do not fit its schema: ${describeIssues(result.issues)}.`,
    { packageName: '@minne/core', field: name },
  );
}

/** A checker for a JSON Schema. The validator is loaded when a call first needs it. */
function checkJsonSchema(schema: JsonSchema, name: string): (input: unknown) => Promise<unknown> {
  let compiled: Promise<StandardSchema> | undefined;
  return async (input) => {
    compiled ??= import('zod').then(({ z }) => z.fromJSONSchema({ ...schema }));
    return validate(await compiled, input, name);
  };
}

/**
 * The JSON Schema of a schema of a library.
 * @throws ConfigurationError when the library cannot give one.
 */
export function schemaOf(schema: StandardSchema, name: string): JsonSchema {
  const { jsonSchema, vendor } = schema['~standard'];
  if (jsonSchema === undefined) {
    throw new ConfigurationError(
      `The schema of ${name} comes from ${vendor} in a version that gives no JSON Schema. Use zod 4.2 or later, or hand over a JSON Schema.`,
      { packageName: '@minne/core', field: 'parameters' },
    );
  }
  const { $schema: _, ...described } = jsonSchema.input({ target: 'draft-2020-12' });
  const json = toJsonValue(described, `the schema of ${name}`);
  if (!isJsonObject(json)) {
    throw new ConfigurationError(`The schema of ${name} is not an object.`, {
      packageName: '@minne/core',
      field: 'parameters',
    });
  }
  return json;
}
