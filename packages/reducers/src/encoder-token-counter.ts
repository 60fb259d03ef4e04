import { ConfigurationError, type TokenCounter } from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { contentTokens } from './content-tokens.js';
import { messageOverhead } from './estimated-token-counter.js';
import { optionsOf, packageName } from './options.js';

/** What is needed of a tokenizer: `gpt-tokenizer` and the encodings of `js-tiktoken` have it. */
export interface TokenEncoder {
  encode(text: string): { readonly length: number };
}

/** Options of {@link encoderTokenCounter}. */
export interface EncoderTokenCounterOptions {
  /** Names the encoding, such as `o200k_base`. */
  readonly id: string;
  readonly encoder: TokenEncoder;
  /** Tokens of a message beside its contents. Default 4. */
  readonly messageOverhead?: number;
}

/** Special tokens that stand in a text as text: encoders refuse them when they are whole. */
const specialToken = /<\|(?=[\w-]+\|>)/;

/**
 * Counts texts exactly, with a tokenizer that you bring, such as `import * as encoder from
 * 'gpt-tokenizer'` or `getEncoding('o200k_base')` of `js-tiktoken`. Images, recordings and documents
 * are estimated as by `estimatedTokenCounter`. A content is encoded once.
 *
 * @throws ConfigurationError when the encoder has no `encode`.
 */
export function encoderTokenCounter(options: EncoderTokenCounterOptions): TokenCounter {
  const { id, encoder } = optionsOf(options);
  if (typeof encoder?.encode !== 'function') {
    throw new ConfigurationError(
      'encoder has no function encode. Give the module gpt-tokenizer, or an encoding of js-tiktoken.',
      { packageName, field: 'encoder' },
    );
  }
  const textTokens = (text: string): number => {
    let total = 0;
    for (const [index, part] of text.split(specialToken).entries()) {
      if (index > 0) total += encoder.encode('<|').length;
      if (part !== '') total += encoder.encode(part).length;
    }
    return total;
  };
  return cachedTokenCounter({
    specificationVersion: 'v1',
    id,
    messageOverhead: options.messageOverhead ?? messageOverhead,
    count: (content) => contentTokens(content, textTokens),
  });
}
