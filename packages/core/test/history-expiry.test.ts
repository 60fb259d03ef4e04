import { ConfigurationError, checkExpiry, type HistoryExpiryOptions } from '@minne/core';
import { describe, expect, it } from 'vitest';

describe('checkExpiry', () => {
  it.each<HistoryExpiryOptions>([
    {},
    { ttl: 1 },
    { ttl: 86_400_000, expiry: 'fixed' },
    { ttl: 60_000, expiry: 'sliding', refreshOnRead: true },
    { refreshOnRead: false },
  ])('takes %j', (options) => {
    expect(() => checkExpiry(options, '@minne/test')).not.toThrow();
  });

  it.each<[string, object]>([
    ['ttl', { ttl: 0 }],
    ['ttl', { ttl: -1 }],
    ['ttl', { ttl: 1.5 }],
    ['ttl', { ttl: Number.NaN }],
    ['ttl', { ttl: Number.POSITIVE_INFINITY }],
    ['ttl', { ttl: '60' }],
    ['ttl', { ttl: Number.MAX_SAFE_INTEGER }],
    ['expiry', { ttl: 1, expiry: 'never' }],
    ['expiry', { expiry: 'fixed' }],
    ['refreshOnRead', { refreshOnRead: true }],
    ['refreshOnRead', { ttl: 1, expiry: 'fixed', refreshOnRead: true }],
  ])('names %s in %j', (field, options) => {
    try {
      checkExpiry(options, '@minne/test');
      expect.unreachable();
    } catch (error) {
      expect(ConfigurationError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ field, packageName: '@minne/test' });
    }
  });
});
