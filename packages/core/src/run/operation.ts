import { ConflictError } from '../errors.js';
import { checkId } from '../history-key.js';
import type { IdGenerator } from '../identity.js';
import type { ChatMessage } from '../message.js';
import { openCalls } from './answer-calls.js';
import { fingerprintOf } from './input-fingerprint.js';

/** What a run with a name is compared with. */
export interface OperationHistory {
  readonly sessionId: string;
  /** All that is stored. */
  readonly history: readonly ChatMessage[];
  /** What the run was given. */
  readonly input: readonly ChatMessage[];
  /** What of it is not known. */
  readonly newInput: readonly ChatMessage[];
}

/**
 * A run with a name. The ids of its input are the same however often it is repeated; those of its output
 * tell what it was given, and are never those of what an earlier attempt has left.
 */
export class Operation {
  readonly operationId: string;
  readonly #attempt: string;
  #fingerprint = '';
  #inputs = 0;
  #outputs = 0;

  /**
   * @param attempt - Unique to this attempt.
   * @throws InvalidInputError when the name is one that {@link checkId} refuses.
   */
  constructor(operationId: string, attempt: string) {
    checkId(operationId, 'operationId', { packageName: '@minne/core' });
    this.operationId = operationId;
    this.#attempt = attempt;
  }

  readonly nextInput: IdGenerator = () => {
    this.#inputs += 1;
    return `${inputPrefix(this.operationId)}${this.#inputs}`;
  };

  /** Tells what the run is given, before it puts out anything. */
  begin(input: readonly ChatMessage[]): void {
    this.#fingerprint = fingerprintOf(input);
  }

  readonly nextOutput: IdGenerator = () => {
    this.#outputs += 1;
    return `${this.#prefix}output:${this.#fingerprint}:${this.#attempt}:${this.#outputs}`;
  };

  /**
   * What the run answered when it came to its end before, or `undefined` when it did not. An answer that
   * waits for approval or was cut short is none.
   * @throws ConflictError when it answered other input, or when it may have answered and what it did is no
   * longer stored.
   */
  earlierAnswer({
    sessionId,
    history,
    input,
    newInput,
  }: OperationHistory): readonly ChatMessage[] | undefined {
    const prefix = `${this.#prefix}output:`;
    const answer = history.filter(({ id }) => id.startsWith(prefix));
    const last = answer.at(-1);
    if (last === undefined) {
      const asked = input.at(-1);
      const gone = asked !== undefined && !history.some(({ id }) => id === asked.id);
      if (newInput.length > 0 || !gone) return undefined;
      throw conflict(
        this.operationId,
        sessionId,
        'was made before, and its messages are no longer stored: they have been trimmed or reduced. Give the run another name to ask again.',
      );
    }
    const waits = openCalls(answer.filter(({ status }) => status === undefined)).length > 0;
    if (last.role !== 'assistant' || last.status !== undefined || waits) return undefined;
    if (last.id.startsWith(`${prefix}${this.#fingerprint}:`)) return answer;
    throw otherInput(this.operationId, sessionId);
  }

  get #prefix(): string {
    return prefixOf(this.operationId);
  }
}

/** Whether a message was the input of a run with this name, and was given its id by it. */
export function isNamedInput(operationId: string, messageId: string): boolean {
  return messageId.startsWith(inputPrefix(operationId));
}

/** The error for a run that is repeated with something else. */
export function otherInput(operationId: string, sessionId: string): ConflictError {
  return conflict(
    operationId,
    sessionId,
    'was made before with other input. Give each run a name of its own, and repeat one only with the same input.',
  );
}

function conflict(operationId: string, sessionId: string, problem: string): ConflictError {
  return new ConflictError(
    `The run with the operationId ${JSON.stringify(operationId)} of session ${sessionId} ${problem}`,
    { packageName: '@minne/core', field: 'operationId', sessionId },
  );
}

function inputPrefix(operationId: string): string {
  return `${prefixOf(operationId)}input:`;
}

function prefixOf(operationId: string): string {
  // Escaped, so that no operation's ids begin with another's.
  return `operation:${encodeURIComponent(operationId)}:`;
}
