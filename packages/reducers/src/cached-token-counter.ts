import type { Content, TokenCounter } from '@minne/core';
import { checkTokenCounter, countedTokens } from './options.js';
import { TextCounts } from './text-counts.js';

/** The counter that remembers, by the one that it asks; by itself, too. */
const cachedCounters = new WeakMap<TokenCounter, TokenCounter>();

/** Options of {@link cachedTokenCounter}. */
export interface CachedTokenCounterOptions {
  /** Whether words are remembered, too: not worth it for a counter that is as fast as a look-up. Default true. */
  readonly byText?: boolean;
}

/**
 * A counter that asks another for each content once, so that counting a session once more after one
 * message costs that one: also when a store has read the session anew, and every content is another
 * object with the same words.
 *
 * Contents are taken never to change. What is remembered of objects goes when nobody else holds them; of
 * words, the 4 million characters that were counted last stay.
 *
 * @returns The same counter each time for the same one; a counter that remembers already is returned as it is.
 * @throws ConfigurationError when it is no counter; when it counts, for what is no number of tokens.
 */
export function cachedTokenCounter(
  counter: TokenCounter,
  { byText = true }: CachedTokenCounterOptions = {},
): TokenCounter {
  const known = cachedCounters.get(counter);
  if (known !== undefined) return known;
  checkTokenCounter(counter);
  const ask = (content: Content): number => countedTokens(counter.count(content), counter);
  const ofObjects = new WeakMap<Content, number>();
  const ofTexts = byText ? new TextCounts() : undefined;
  const cached: TokenCounter = {
    specificationVersion: counter.specificationVersion,
    id: counter.id,
    messageOverhead: counter.messageOverhead,
    count(content) {
      const seen = ofObjects.get(content);
      if (seen !== undefined) return seen;
      const words = ofTexts === undefined ? undefined : wordsOf(content);
      const tokens =
        ofTexts === undefined || words === undefined
          ? ask(content)
          : ofTexts.of(words, () => ask(content));
      ofObjects.set(content, tokens);
      return tokens;
    },
  };
  cachedCounters.set(counter, cached);
  cachedCounters.set(cached, cached);
  return cached;
}

/** All that a content's count can depend on; `undefined` where putting it together is not worth it. */
function wordsOf(content: Content): string | undefined {
  if (content.type === 'data') return undefined;
  // Most contents are texts and nothing else, and these need not be copied. What is copied begins as none
  // of them does, so that a text that looks like another content is not taken for it.
  const { type } = content;
  if (type === 'text' && Object.keys(content).length === 2 && !content.text.startsWith('\0')) {
    return content.text;
  }
  return `\0${JSON.stringify(content)}`;
}
