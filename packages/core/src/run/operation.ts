import { checkId } from '../history-key.js';
import type { IdGenerator } from '../identity.js';
import type { ChatMessage } from '../message.js';

/**
 * Ids of the messages of a named run: the same for its input however often it is repeated, and never
 * those of what an earlier attempt has left.
 */
export class OperationIds {
  readonly #operationId: string;
  readonly #attempt: string;
  #inputs = 0;
  #outputs = 0;

  /**
   * @param attempt - Unique to this attempt.
   * @throws InvalidInputError when the name is one that {@link checkId} refuses.
   */
  constructor(operationId: string, attempt: string) {
    checkId(operationId, 'operationId', { packageName: '@minne/core' });
    this.#operationId = operationId;
    this.#attempt = attempt;
  }

  readonly nextInput: IdGenerator = () => {
    this.#inputs += 1;
    return `${prefixOf(this.#operationId)}input:${this.#inputs}`;
  };

  readonly nextOutput: IdGenerator = () => {
    this.#outputs += 1;
    return `${prefixOf(this.#operationId)}output:${this.#attempt}:${this.#outputs}`;
  };
}

/**
 * What a named run answered when it came to its end before, or `undefined` when it did not. An answer
 * that waits for approval or was cut short is none.
 */
export function operationAnswer(
  history: readonly ChatMessage[],
  operationId: string | undefined,
): ChatMessage[] | undefined {
  if (operationId === undefined) return undefined;
  const prefix = `${prefixOf(operationId)}output:`;
  const answer = history.filter(({ id }) => id.startsWith(prefix));
  const last = answer.at(-1);
  if (last?.role !== 'assistant' || last.status !== undefined) return undefined;
  return last.contents.some(({ type }) => type === 'tool_call') ? undefined : answer;
}

function prefixOf(operationId: string): string {
  // Escaped, so that no operation's ids begin with another's.
  return `operation:${encodeURIComponent(operationId)}:`;
}
