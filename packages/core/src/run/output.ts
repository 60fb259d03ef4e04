import type { AgentResponse } from '../agent-response.js';
import type { ChatOptions } from '../chat-client.js';
import { schemaOf } from '../define-tool.js';
import { OutputError } from '../run-errors.js';
import { describeIssues, type StandardSchema } from '../standard-schema.js';

/** What the model is asked for when the run wants a value. */
export function responseFormatOf(
  schema: StandardSchema | undefined,
): Pick<ChatOptions, 'responseFormat'> {
  if (schema === undefined) return {};
  return { responseFormat: { type: 'json', name: 'output', schema: schemaOf(schema, 'output') } };
}

/**
 * The value that the answer's text stands for.
 * @throws OutputError when the text is no JSON or does not fit the schema; it carries the response.
 */
export async function outputValue(
  response: AgentResponse,
  schema: StandardSchema | undefined,
): Promise<unknown> {
  if (schema === undefined || response.approvalRequests.length > 0) return undefined;
  const fail = (problem: string, cause?: unknown): OutputError =>
    new OutputError(`The answer is not the value that was asked for: ${problem}.`, {
      packageName: '@minne/core',
      field: 'output',
      sessionId: response.sessionId,
      response,
      ...(cause === undefined ? {} : { cause }),
    });
  let value: unknown;
  try {
    value = JSON.parse(response.text);
  } catch (cause) {
    throw fail(response.text === '' ? 'it has no text' : 'it is not JSON', cause);
  }
  const result = await schema['~standard'].validate(value);
  if (result.issues !== undefined) throw fail(describeIssues(result.issues));
  return result.value;
}
