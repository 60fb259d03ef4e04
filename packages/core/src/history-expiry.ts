import { ConfigurationError } from './errors.js';

/** When a backend forgets a session by itself. */
export interface HistoryExpiryOptions {
  /**
   * Milliseconds after which a session is forgotten, always as a whole: every message, every remembered
   * id, and its place in the list of its actor. 1 or more. Default: never.
   */
  readonly ttl?: number;
  /**
   * What the time is counted from: `sliding`, the last write; `fixed`, the first write since the session
   * was empty. Default `sliding`.
   */
  readonly expiry?: 'sliding' | 'fixed';
  /** Whether loading counts as a write does, with `sliding`. Default false. */
  readonly refreshOnRead?: boolean;
}

/** 100,000 years: within what dates and stores can hold. */
const longestTtl = 100_000 * 365.25 * 24 * 60 * 60 * 1000;

/**
 * Checks the options of a backend that say when it forgets.
 *
 * @throws ConfigurationError for a `ttl` that is no whole number of at least 1, for an unknown `expiry`, and
 * for options that would do nothing: either without `ttl`, or `refreshOnRead` with `fixed`.
 */
export function checkExpiry(options: HistoryExpiryOptions, packageName: string): void {
  const { ttl, expiry, refreshOnRead } = options;
  if (ttl !== undefined && (!Number.isSafeInteger(ttl) || ttl < 1 || ttl > longestTtl)) {
    throw wrong(
      'ttl',
      `ttl is ${String(ttl)}. Give it whole milliseconds, at least 1 and at most 100,000 years, or leave it out to keep sessions for ever.`,
    );
  }
  if (expiry !== undefined && expiry !== 'sliding' && expiry !== 'fixed') {
    throw wrong('expiry', `expiry is ${JSON.stringify(expiry)}. Give it 'sliding' or 'fixed'.`);
  }
  if (ttl === undefined && (expiry !== undefined || refreshOnRead === true)) {
    const field = expiry === undefined ? 'refreshOnRead' : 'expiry';
    throw wrong(field, `${field} does nothing without ttl. Set ttl, in milliseconds.`);
  }
  if (expiry === 'fixed' && refreshOnRead === true) {
    throw wrong('refreshOnRead', `refreshOnRead does nothing with expiry 'fixed'. Leave one out.`);
  }

  function wrong(field: string, text: string): ConfigurationError {
    return new ConfigurationError(text, { packageName, field });
  }
}
