import type { TokenCounter } from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { contentTokens } from './content-tokens.js';
import { estimateTextTokens } from './text-tokens.js';

/** Tokens of a message beside its contents: OpenAI's chat format takes 3 or 4. */
export const messageOverhead = 4;

/**
 * Counts tokens without the data of any tokenizer, and rather too many than too few in every script.
 * The default wherever tokens are counted.
 */
export const estimatedTokenCounter: TokenCounter = cachedTokenCounter(
  {
    specificationVersion: 'v1',
    id: 'estimate_v1',
    messageOverhead,
    count: (content) => contentTokens(content, estimateTextTokens),
  },
  { byText: false },
);
