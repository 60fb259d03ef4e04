import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkHistoryKey, encodeHistoryKey, InvalidInputError } from '../src/index.js';

const options = { packageName: '@minne/history-any', sessionId: 's' };

/** An id that stores accept: made of what has broken keys before, and of anything else. */
const ids = fc
  .oneof(
    fc.string({ unit: fc.constantFrom('a', 'b', ':', '%', '3', 'A', '{', '}', '*', '\\') }),
    fc.string({ unit: 'grapheme' }),
  )
  .filter((id) => id !== '' && id.length < 80 && !id.includes('\0') && id.isWellFormed());

describe('encodeHistoryKey', () => {
  it('gives two histories two keys, whatever their ids are', () => {
    fc.assert(
      fc.property(ids, ids, ids, ids, (source1, session1, source2, session2) => {
        const one = encodeHistoryKey({ sourceId: source1, sessionId: session1 }, options);
        const other = encodeHistoryKey({ sourceId: source2, sessionId: session2 }, options);
        expect(one === other).toBe(source1 === source2 && session1 === session2);
      }),
    );
  });

  it('tells apart where one part ends and the next begins', () => {
    const one = encodeHistoryKey({ sourceId: 'a:b', sessionId: 'c' }, options);
    const other = encodeHistoryKey({ sourceId: 'a', sessionId: 'b:c' }, options);
    expect([one, other]).toEqual(['a%3ab:c', 'a:b%3ac']);
  });

  it('leaves nothing in a key that is a pattern, a hash tag, a space or a control character', () => {
    fc.assert(
      fc.property(ids, ids, (sourceId, sessionId) => {
        const key = encodeHistoryKey({ sourceId, sessionId }, options);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
        expect(key).not.toMatch(/[\x00-\x20\x7f{}*?[\]\\]/);
        expect(key.split(':').length).toBe(2);
      }),
    );
  });

  it('keeps plain ids readable and leaves the actor out', () => {
    const key = { sourceId: 'redis', sessionId: 'chat-7 of é', actorId: 'kim' };
    expect(encodeHistoryKey(key, options)).toBe('redis:chat-7%20of%20é');
  });
});

describe('checkHistoryKey', () => {
  it('accepts up to 256 bytes of UTF-8 in each part', () => {
    for (const id of [
      'x',
      'x'.repeat(256),
      'é'.repeat(128),
      '🙂'.repeat(64),
      'a\nb',
      '__proto__',
    ]) {
      checkHistoryKey({ sessionId: id, sourceId: id, actorId: id }, options);
    }
  });

  it.each([
    ['', /empty/],
    ['x'.repeat(257), /257 bytes.*at most 256/],
    ['é'.repeat(129), /258 bytes/],
    ['a\0', /U\+0000/],
    ['\ud800', /surrogate/],
    ['a\udc00b', /surrogate/],
    [7, /number/],
    [null, /null/],
    [undefined, /undefined/],
  ] as const)('refuses %j and names the part', (id, text) => {
    const key = { sessionId: 's', sourceId: 'h' };
    for (const field of ['sessionId', 'sourceId'] as const) {
      const wrong = { ...key, [field]: id } as typeof key;
      const error = errorOf(() => checkHistoryKey(wrong, options));
      expect(error).toBeInstanceOf(InvalidInputError);
      expect(error).toMatchObject({ field, packageName: '@minne/history-any', sessionId: 's' });
      expect(String(error)).toMatch(text);
    }
  });
});

function errorOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return expect.fail('It was accepted.');
}
