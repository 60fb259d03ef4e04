import type { Content } from './content.js';

/**
 * Tells what contents cost in tokens. Synchronous and a pure function of the content, so that what was
 * counted once need not be counted again.
 */
export interface TokenCounter {
  readonly specificationVersion: 'v1';
  /** Names the tokens that are counted, such as `o200k_base`: a cache of counts belongs to one id. */
  readonly id: string;
  /** Tokens that every message costs beside its contents: role and separators. */
  readonly messageOverhead: number;
  /** Tokens of one content. Errs on the high side where it cannot know. */
  count(content: Content): number;
}
