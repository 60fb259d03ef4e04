import { type ErrorContent, type JsonObject, type Usage, uuidv7 } from '@minne/core';
import { countOf, objectOf, objectsOf, textOf } from './read-json.js';

/** Text and reasoning of a message, or of a piece of one. */
interface Spoken {
  readonly text: string;
  readonly reasoning: string;
}

/**
 * Text and reasoning of a `message` or `delta`. Reasoning is not of OpenAI: DeepSeek, Kimi and others
 * call it `reasoning_content`, OpenRouter and newer vLLM `reasoning`, and Mistral sends both kinds as
 * parts of `content`.
 */
export function spokenOf(message: JsonObject): Spoken {
  const { content } = message;
  const reasoning = textOf(message['reasoning_content']) ?? textOf(message['reasoning']) ?? '';
  if (typeof content === 'string') return { text: content, reasoning };
  const parts = objectsOf(content);
  const thoughts = parts.flatMap((part) => objectsOf(part['thinking']));
  return { text: joinTexts(parts), reasoning: reasoning + joinTexts(thoughts) };
}

function joinTexts(parts: readonly JsonObject[]): string {
  return parts.map(({ text }) => textOf(text) ?? '').join('');
}

/** A refusal as a content. */
export function refusalContent(refusal: string): ErrorContent {
  return { type: 'error', message: refusal, code: 'refusal' };
}

/** The argument text of a call; some servers send the parsed object. */
export function argumentsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** An id for a call that the server gave none, within the 40 characters that OpenAI takes. */
export function newCallId(): string {
  return `call_${uuidv7().replaceAll('-', '')}`;
}

/**
 * Token counts of `usage`, or `undefined` when there are none. Chat Completions counts `prompt_tokens` and
 * `completion_tokens`, Responses `input_tokens` and `output_tokens`. Cached tokens stand in the details at
 * OpenAI, in `prompt_cache_hit_tokens` at DeepSeek, in `cached_tokens` at Kimi.
 */
export function usageOf(value: unknown): Usage | undefined {
  const usage = objectOf(value);
  const first = (...names: readonly string[]): number | undefined =>
    names.map((name) => countOf(usage[name])).find((count) => count !== undefined);
  const detail = (name: string, ...places: readonly string[]): number | undefined =>
    places
      .map((place) => countOf(objectOf(usage[place])[name]))
      .find((count) => count !== undefined);
  const counts: readonly (readonly [keyof Usage, number | undefined])[] = [
    ['inputTokens', first('prompt_tokens', 'input_tokens')],
    ['outputTokens', first('completion_tokens', 'output_tokens')],
    ['totalTokens', first('total_tokens')],
    [
      'cachedInputTokens',
      detail('cached_tokens', 'prompt_tokens_details', 'input_tokens_details') ??
        first('prompt_cache_hit_tokens', 'cached_tokens'),
    ],
    [
      'reasoningTokens',
      detail('reasoning_tokens', 'completion_tokens_details', 'output_tokens_details'),
    ],
  ];
  const known = counts.filter(([, count]) => count !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
