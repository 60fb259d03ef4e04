import type { JsonSchema } from '@minne/core';
import { MemoryError, type MemoryStore } from '@minne/core/memory';

/** What an action works with. */
export interface ActionContext {
  readonly store: MemoryStore;
  readonly actorId: string;
  readonly signal: AbortSignal;
  readonly onError: ((error: unknown, toolName: string) => void) | undefined;
}

/** A tool before it is bound to a store and an actor. */
export interface MemoryAction<Input> {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** @returns What the model is told. */
  run(input: Input, context: ActionContext): Promise<string>;
}

/**
 * Runs an action. Failures come back as text for the model.
 * @throws The reason of the signal, when that is why the action failed.
 */
export async function runAction<Input>(
  action: MemoryAction<Input>,
  input: Input,
  context: ActionContext,
): Promise<string> {
  try {
    context.signal.throwIfAborted();
    return await action.run(input, context);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isForModel(error)) context.onError?.(error, action.name);
    return explain(error);
  }
}

/** Whether the model can do something about it. */
function isForModel(error: unknown): error is MemoryError {
  return MemoryError.isInstance(error) && error.errorCode === 'INVALID_PARAMETER_VALUE';
}

function explain(error: unknown): string {
  if (isForModel(error)) return `Error: ${error.message}${remedyFor(error.field)}`;
  // The text of other failures may hold what a model and its user should not see.
  const code = MemoryError.isInstance(error) ? ` (${error.errorCode})` : '';
  return MemoryError.isInstance(error) && error.retryable
    ? `Error: the memory is not available at the moment${code}. Carry on without it, or try again later.`
    : `Error: the memory could not do that${code}. Carry on without it.`;
}

function remedyFor(field: string | undefined): string {
  switch (field) {
    case 'path':
      return ' Use a path such as /preferences/seat.';
    case 'content':
      return ' Save the essence of it, or part it into several memories.';
    case 'description':
      return ' Describe it in one line.';
    case 'query':
      return ' Search with a few words for what you want to know.';
    default:
      return '';
  }
}
