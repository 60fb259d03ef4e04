import { describe, expect, it } from 'vitest';
import { EncryptedHistoryBackend, type EncryptedHistoryOptions } from '../src/index.js';
import { keyBytes } from './keys.js';
import { key, RecordingBackend, recordOf } from './recording-backend.js';

const [k1, k2] = [keyBytes(1), keyBytes(2)];

function opened(
  backend: RecordingBackend,
  options: Omit<EncryptedHistoryOptions, 'backend'>,
): EncryptedHistoryBackend {
  return new EncryptedHistoryBackend({ backend, ...options });
}

/** Two messages under the first key and one under the second. */
async function underTwoKeys() {
  const backend = new RecordingBackend();
  const first = opened(backend, { keys: { k1 }, currentKeyId: 'k1' });
  await first.append(key, [recordOf('m1'), recordOf('m2')]);
  const both = opened(backend, { keys: { k1, k2 }, currentKeyId: 'k2' });
  await both.append(key, [recordOf('m3')]);
  return { backend, both };
}

function keyIdsOf(records: readonly { readonly payload: string }[]): (string | undefined)[] {
  return records.map(({ payload }) => payload.split(':')[2]);
}

describe('a change of the key', () => {
  it('encrypts what is new with the current key and reads what is old with its own', async () => {
    const { backend, both } = await underTwoKeys();
    expect(keyIdsOf(await backend.stored(key))).toEqual(['k1', 'k1', 'k2']);
    const { records, damaged } = await both.load(key);
    expect(records.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
    expect(damaged).toEqual([]);
  });

  it('is completed by a rotation, which rewrites just what is old, under the version', async () => {
    const { backend, both } = await underTwoKeys();
    const before = await backend.stored(key);
    const loaded = await both.load(key);
    expect(await both.rotate(key)).toBe(2);
    const after = await backend.stored(key);
    expect(keyIdsOf(after)).toEqual(['k2', 'k2', 'k2']);
    expect(after[2]).toEqual(before[2]);
    const alone = opened(backend, { keys: { k2 }, currentKeyId: 'k2' });
    expect((await alone.load(key)).records).toEqual(loaded.records);
    backend.calls.length = 0;
    expect(await both.rotate(key)).toBe(0);
    expect(backend.calls).toEqual(['load']);
  });

  it('does not lose what others write during a rotation', async () => {
    const { backend, both } = await underTwoKeys();
    const replace = backend.replace.bind(backend);
    let others = 2;
    backend.replace = async (...call: Parameters<typeof replace>) => {
      if (others-- > 0) await both.append(key, [recordOf(`other${others}`)]);
      return replace(...call);
    };
    expect(await both.rotate(key)).toBe(2);
    const { records } = await both.load(key);
    expect(records.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'other1', 'other0']);
    expect(new Set(keyIdsOf(await backend.stored(key)))).toEqual(new Set(['k2']));
  });

  it('gives up a rotation when others come first every time', async () => {
    const { backend, both } = await underTwoKeys();
    const replace = backend.replace.bind(backend);
    let others = 0;
    backend.replace = async (...call: Parameters<typeof replace>) => {
      await both.append(key, [recordOf(`other${others++}`)]);
      return replace(...call);
    };
    await expect(both.rotate(key)).rejects.toMatchObject({ code: 'conflict' });
    expect((await both.load(key)).records.length).toBe(3 + others);
  });

  it('does not rotate what it would lose', async () => {
    const { backend } = await underTwoKeys();
    const before = await backend.stored(key);
    const k3 = keyBytes(3);
    const without = opened(backend, { keys: { k2, k3 }, currentKeyId: 'k3' });
    await expect(without.rotate(key)).rejects.toThrow(/2 messages that cannot be read.*"k1"/);
    expect(await backend.stored(key)).toEqual(before);
  });

  it('needs a backend with replace', async () => {
    const backend = new RecordingBackend();
    const { append, load, clear } = backend;
    const simple = { specificationVersion: 'v1' as const, append, load, clear };
    const history = new EncryptedHistoryBackend({
      backend: simple,
      keys: { k1 },
      currentKeyId: 'k1',
    });
    expect('replace' in history).toBe(false);
    await expect(history.rotate(key)).rejects.toMatchObject({ code: 'configuration' });
  });
});

describe('a key that is missing', () => {
  it('makes its messages damaged, names the key, and leaves the others', async () => {
    const { backend } = await underTwoKeys();
    const without = opened(backend, { keys: { k2 }, currentKeyId: 'k2' });
    const { records, damaged } = await without.load(key);
    expect(records.map(({ id }) => id)).toEqual(['m3']);
    expect(damaged.map(({ sequence }) => sequence)).toEqual([1, 2]);
    for (const { reason } of damaged) expect(reason).toContain('"k1"');
  });

  it('is an error, and no empty history, when nothing of what is loaded can be read', async () => {
    const { backend } = await underTwoKeys();
    const k3 = keyBytes(3);
    const without = opened(backend, { keys: { k3 }, currentKeyId: 'k3' });
    const expected = { code: 'store_failed', retryable: false, sessionId: 'chat-7' };
    await expect(without.load(key)).rejects.toMatchObject(expected);
    await expect(without.load(key, { limit: 1 })).rejects.toThrow(/1 of 1 .*"k2"/);
    // What is never written or not asked for is no fault of a key.
    expect((await without.load(key, { limit: 0, ids: ['m1'] })).knownIds).toEqual(['m1']);
    expect((await without.load({ ...key, sessionId: 'new' })).records).toEqual([]);
    const wrong = opened(backend, { keys: { k1: k3, k2: k3 }, currentKeyId: 'k2' });
    await expect(wrong.load(key)).rejects.toThrow(/another one of that id/);
  });

  it('is an error for one message, or for none, when that is asked for', async () => {
    const { backend } = await underTwoKeys();
    const strict = { keys: { k2 }, currentKeyId: 'k2', failWhenUnreadable: 'any' } as const;
    await expect(opened(backend, strict).load(key)).rejects.toThrow(/2 of 3 messages/);
    const k3 = keyBytes(3);
    const lenient = { keys: { k3 }, currentKeyId: 'k3', failWhenUnreadable: 'never' } as const;
    const { records, damaged } = await opened(backend, lenient).load(key);
    expect({ records, count: damaged.length }).toEqual({ records: [], count: 3 });
    const unknown = { ...lenient, failWhenUnreadable: JSON.parse('"some"') };
    expect(() => opened(backend, unknown)).toThrow(/Give it 'all', 'any' or 'never'/);
  });
});

describe('messages from before encryption', () => {
  it('are damaged, unless they are allowed', async () => {
    const backend = new RecordingBackend();
    await backend.plant(key, [recordOf('m1')]);
    const strict = opened(backend, { keys: { k1 }, currentKeyId: 'k1' });
    await strict.append(key, [recordOf('m2')]);
    const { records, damaged } = await strict.load(key);
    expect(records.map(({ id }) => id)).toEqual(['m2']);
    expect(damaged).toEqual([{ sequence: 1, reason: 'its payload is not encrypted' }]);
  });

  it('are read and, by a rotation, encrypted when they are allowed', async () => {
    const backend = new RecordingBackend();
    await backend.plant(key, [recordOf('m1'), recordOf('m2')]);
    const options = { keys: { k1 }, currentKeyId: 'k1', allowPlaintext: true };
    const history = opened(backend, options);
    const before = await history.load(key);
    expect(before.records.map(({ id }) => id)).toEqual(['m1', 'm2']);
    expect(await history.rotate(key)).toBe(2);
    expect(keyIdsOf(await backend.stored(key))).toEqual(['k1', 'k1']);
    const strict = opened(backend, { ...options, allowPlaintext: false });
    expect((await strict.load(key)).records).toEqual(before.records);
  });
});
