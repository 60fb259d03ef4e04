import {
  InvalidInputError,
  type JsonObject,
  type JsonValue,
  type ToolDefinition,
  type ToolResultContent,
} from '@minne/core';

/** What is wrong with messages of which nothing remains. */
export const nothingToSend = 'hold nothing that can be sent; give at least one message with text';

/** What is wrong with a choice of tools where there are none. */
export const noTools = 'wants a tool to be called, and no tools are given';

/** The schema of a tool. The service refuses schemas that leave out type or properties, as those of tools without parameters do. */
export function parametersOf({ parameters }: ToolDefinition): JsonObject {
  return { type: 'object', properties: {}, ...parameters };
}

/** The arguments of a past call. Many servers parse them, and refuse the conversation when they cannot. */
export function sentArguments(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return '{}';
  }
}

/** What the model is told of a tool's result: a string as it is, anything else as JSON, an error as one. */
export function toolResultText({ result, error }: ToolResultContent): string {
  if (error === undefined) return jsonText(result);
  return result === null ? `Error: ${error}` : `Error: ${error}\n${jsonText(result)}`;
}

function jsonText(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A request that a client cannot make. */
export function invalidInput(owner: string, field: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${owner}: ${field} ${problem}.`, {
    packageName: '@minne/chat-openai',
    field,
  });
}
