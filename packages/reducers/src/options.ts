import {
  type ChatMessage,
  ConfigurationError,
  InvalidInputError,
  type TokenCounter,
} from '@minne/core';

/** Named in errors. */
export const packageName = '@minne/reducers';

/** An error about an option; `problem` goes on after its name. */
export function wrongOption(field: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${field} ${problem}`, { packageName, field });
}

/**
 * The options that something is made with, since programs without types may leave them out.
 * @throws ConfigurationError when they are no object.
 */
export function optionsOf<Options extends object>(options: Options): Options {
  if (typeof options === 'object' && options !== null) return options;
  throw wrongOption('options', `are ${String(options)}. Give them as an object.`);
}

/**
 * Checks an option that is a whole number.
 * @throws ConfigurationError when it is none, or not between `minimum` and `maximum`.
 */
export function wholeNumber(
  value: number,
  field: string,
  minimum: number,
  maximum = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= minimum && value <= maximum) return value;
  const most = maximum === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${maximum}`;
  throw wrongOption(
    field,
    `is ${String(value)}. Give it a whole number of at least ${minimum}${most}.`,
  );
}

/** @throws ConfigurationError when something is no counter of tokens. */
export function checkTokenCounter(counter: TokenCounter): void {
  if (typeof counter?.count === 'function' && isAmount(counter.messageOverhead)) return;
  throw wrongOption(
    'tokenCounter',
    'is no token counter. Give it an object with `id`, `messageOverhead`, a number of 0 or more, and `count`.',
  );
}

/** What a counter has counted. @throws ConfigurationError when that is no number of tokens. */
export function countedTokens(tokens: number, { id }: TokenCounter): number {
  if (isAmount(tokens)) return tokens;
  throw wrongOption(
    'tokenCounter',
    `${id} counted ${String(tokens)} tokens. It must count a number of 0 or more.`,
  );
}

/**
 * Checks what a reducer is to reduce.
 * @throws The reason of `signal`; InvalidInputError when something can be no history, or no number of tokens.
 */
export function checkInput(
  messages: readonly ChatMessage[],
  signal: AbortSignal | undefined,
  fixedTokens = 0,
): void {
  signal?.throwIfAborted();
  if (!Array.isArray(messages)) throw wrongInput('messages', 'must be an array of messages.');
  for (let position = 0; position < messages.length; position += 1) {
    if (Array.isArray(messages[position]?.contents)) continue;
    throw wrongInput(
      'messages',
      `has no message with an array of contents at [${position}]. Make messages with createMessage.`,
    );
  }
  // As much as one likes, but not less than nothing.
  if (typeof fixedTokens === 'number' && fixedTokens >= 0) return;
  throw wrongInput('fixedTokens', `is ${String(fixedTokens)}. Give it a number of 0 or more.`);
}

function wrongInput(field: string, problem: string): InvalidInputError {
  return new InvalidInputError(`${field} ${problem}`, { packageName, field });
}

function isAmount(value: number): boolean {
  return Number.isFinite(value) && value >= 0;
}
