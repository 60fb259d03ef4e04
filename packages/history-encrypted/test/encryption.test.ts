import { describe, expect, it } from 'vitest';
import { EncryptedHistoryBackend, type EncryptionCryptoKey } from '../src/index.js';
import { keyBytes, keys } from './keys.js';
import { key, RecordingBackend, recordOf } from './recording-backend.js';

function encrypted() {
  const backend = new RecordingBackend();
  return { backend, history: new EncryptedHistoryBackend({ backend, keys, currentKeyId: 'k1' }) };
}

describe('what the store sees', () => {
  it('is the clear part and an envelope that names layout and key', async () => {
    const { backend, history } = encrypted();
    const record = recordOf('m1');
    await history.append(key, [record]);
    const [stored] = await backend.stored(key);
    expect(stored).toEqual({ ...record, sequence: 1, payload: expect.any(String) });
    expect(stored?.payload).toMatch(/^minne-encrypted:1:k1:[A-Za-z0-9+/]+=*$/);
    expect(stored?.payload).not.toContain('secret');
    const sealed = stored?.payload.split(':').at(-1) ?? '';
    expect(Buffer.from(sealed, 'base64').toString('latin1')).not.toContain('secret');
  });

  it('differs for the same text every time', async () => {
    const { backend, history } = encrypted();
    const payload = JSON.stringify('the same');
    await history.append(key, [
      { ...recordOf('m1'), payload },
      { ...recordOf('m2'), payload },
    ]);
    const nonces = (await backend.stored(key)).map((record) => record.payload.slice(22, 38));
    expect(new Set(nonces).size).toBe(2);
  });

  it('is as much longer as the README says', async () => {
    const { backend, history } = encrypted();
    for (const length of [0, 1, 2, 3, 1000, 1001, 100_000]) {
      const id = `m${length}`;
      await history.append(key, [{ ...recordOf(id), payload: 'x'.repeat(length) }]);
      const stored = (await backend.stored(key)).find((record) => record.id === id);
      expect(stored?.payload.length).toBe(4 * Math.ceil((length + 28) / 3) + 19 + 'k1'.length);
    }
  });
});

describe('keys', () => {
  it('may be bytes, base64 text of either alphabet, or a CryptoKey', async () => {
    const bytes = keyBytes(255);
    const standard = Buffer.from(bytes).toString('base64');
    const url = Buffer.from(bytes).toString('base64url');
    expect(url).not.toBe(standard);
    const imported = await crypto.subtle.importKey('raw', keyBytes(255).slice(), 'AES-GCM', false, [
      'encrypt',
      'decrypt',
    ]);
    const backend = new RecordingBackend();
    const open = (k1: typeof bytes | typeof imported | string) =>
      new EncryptedHistoryBackend({ backend, keys: { k1 }, currentKeyId: 'k1' });
    await open(bytes).append(key, [recordOf('m1')]);
    for (const form of [standard, url, `${standard}\n`, imported]) {
      const { records } = await open(form).load(key);
      expect(records).toEqual([{ ...recordOf('m1'), sequence: 1 }]);
    }
  });

  it('are taken as they are when the backend is made', async () => {
    const backend = new RecordingBackend();
    const bytes = keyBytes(9);
    const history = new EncryptedHistoryBackend({
      backend,
      keys: { k1: bytes },
      currentKeyId: 'k1',
    });
    bytes.fill(0);
    await history.append(key, [recordOf('m1')]);
    const same = { backend, keys: { k1: keyBytes(9) }, currentKeyId: 'k1' };
    expect((await new EncryptedHistoryBackend(same).load(key)).records.length).toBe(1);
  });

  it.each([
    ['bytes that are too few', new Uint8Array(16).fill(77), /"k1" has 16 bytes and needs 32/],
    ['text that is not base64', 'not a key at all!', /"k1" is text that is not base64/],
    ['text of too few bytes', 'TU1NTU1NTU0=', /"k1" has 8 bytes/],
    ['a number', JSON.parse('7'), /"k1" is neither bytes/],
    ['nothing', JSON.parse('null'), /"k1" is neither bytes/],
  ])('are refused as %s, and not shown', (_, k1, message) => {
    const backend = new RecordingBackend();
    const make = () => new EncryptedHistoryBackend({ backend, keys: { k1 }, currentKeyId: 'k1' });
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ code: 'configuration', field: 'keys' }));
    if (typeof k1 === 'string') expect(make).not.toThrow(k1);
    expect(make).not.toThrow(/77|TU1N/);
  });

  it('are refused as a CryptoKey for something else', async () => {
    const backend = new RecordingBackend();
    const make = (k1: EncryptionCryptoKey) =>
      new EncryptedHistoryBackend({ backend, keys: { k1 }, currentKeyId: 'k1' });
    const short = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, [
      'encrypt',
      'decrypt',
    ]);
    const one = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
      'decrypt',
    ]);
    expect(() => make(short)).toThrow(/128 bits, not AES-GCM of 256/);
    expect(() => make(one)).toThrow(/may not encrypt/);
  });

  it('need one that is the current', () => {
    const backend = new RecordingBackend();
    const make = (currentKeyId: string) =>
      new EncryptedHistoryBackend({ backend, keys, currentKeyId });
    expect(() => make('k2')).toThrow(/currentKeyId is "k2", and `keys` has no such key/);
    for (const wrong of ['', 'a\0', '\ud800', 'x'.repeat(257)]) {
      expect(() => make(wrong)).toThrow(expect.objectContaining({ field: 'currentKeyId' }));
    }
  });

  it('may have ids with any character', async () => {
    const backend = new RecordingBackend();
    const ids = ['arn:aws:kms:key/1', 'å 🔑%3A', '__proto__', ':'];
    for (const [index, keyId] of ids.entries()) {
      const own = Object.fromEntries(ids.map((id, value) => [id, keyBytes(value)]));
      const history = new EncryptedHistoryBackend({ backend, keys: own, currentKeyId: keyId });
      await history.append(key, [recordOf(`m${index}`)]);
      expect((await history.load(key)).records.length).toBe(index + 1);
    }
  });
});

describe('keys that a function finds', () => {
  it('are asked for once, also by many calls at the same time', async () => {
    const asked: string[] = [];
    const backend = new RecordingBackend();
    const history = new EncryptedHistoryBackend({
      backend,
      keys: async (keyId) => {
        asked.push(keyId);
        return keyBytes(1);
      },
      currentKeyId: 'k1',
    });
    await Promise.all([
      history.append(key, [recordOf('m1')]),
      history.append(key, [recordOf('m2')]),
    ]);
    expect((await history.load(key)).records.length).toBe(2);
    expect(asked).toEqual(['k1']);
  });

  it('make a call fail that can be made again when the function fails, and are asked for again', async () => {
    const backend = new RecordingBackend();
    const cause = new Error('the service does not answer');
    let failing = true;
    const history = new EncryptedHistoryBackend({
      backend,
      keys: async () => {
        if (failing) throw cause;
        return keyBytes(1);
      },
      currentKeyId: 'k1',
    });
    const expected = { code: 'store_failed', retryable: true, cause };
    await expect(history.append(key, [recordOf('m1')])).rejects.toMatchObject(expected);
    expect(await backend.stored(key)).toEqual([]);
    failing = false;
    await history.append(key, [recordOf('m1')]);
    expect((await history.load(key)).records.length).toBe(1);
  });

  it('are a mistake of the configuration when they are missing or no keys', async () => {
    for (const found of [undefined, new Uint8Array(3)]) {
      const backend = new RecordingBackend();
      const history = new EncryptedHistoryBackend({
        backend,
        keys: async () => found,
        currentKeyId: 'k1',
      });
      const call = history.append(key, [recordOf('m1')]);
      await expect(call).rejects.toMatchObject({ code: 'configuration' });
      expect(await backend.stored(key)).toEqual([]);
    }
  });

  it('are not waited for any longer when the signal aborts', async () => {
    const backend = new RecordingBackend();
    const history = new EncryptedHistoryBackend({
      backend,
      keys: () => new Promise(() => {}),
      currentKeyId: 'k1',
    });
    const stop = new AbortController();
    const reason = new Error('stopped by the caller');
    const call = history.append(key, [recordOf('m1')], { signal: stop.signal });
    stop.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});

describe('the backend underneath', () => {
  it('gives the wrapper its methods, and no others', async () => {
    const backend = new RecordingBackend();
    const history = new EncryptedHistoryBackend({ backend, keys, currentKeyId: 'k1' });
    expect('replace' in history).toBe(true);
    for (const method of ['list', 'eraseActor', 'close']) expect(method in history).toBe(false);
  });

  it('is closed with the wrapper', async () => {
    let closed = 0;
    const backend = Object.assign(new RecordingBackend(), {
      close: async () => {
        closed += 1;
      },
    });
    await new EncryptedHistoryBackend({ backend, keys, currentKeyId: 'k1' }).close?.();
    expect(closed).toBe(1);
  });
});

describe('a replacement', () => {
  it('keeps the envelopes of what it leaves as it is, in one call, when it is handed what was loaded', async () => {
    const { backend, history } = encrypted();
    await history.append(
      key,
      ['m1', 'm2', 'm3'].map((id) => recordOf(id)),
    );
    const before = await backend.stored(key);
    const { records, version } = await history.load(key);
    backend.calls.length = 0;
    await history.replace?.(key, records.slice(1), { version });
    expect(backend.calls).toEqual(['replace']);
    expect(await backend.stored(key)).toEqual(before.slice(1));
  });

  it('keeps them when it is handed copies, and encrypts just what is changed', async () => {
    const { backend, history } = encrypted();
    await history.append(
      key,
      ['m1', 'm2', 'm3', 'm4'].map((id) => recordOf(id)),
    );
    const before = await backend.stored(key);
    const { records, version } = await history.load(key);
    const edited = records.map((record) => ({ ...record }));
    Object.assign(edited[1] ?? {}, { payload: recordOf('m2', 'edited').payload });
    Object.assign(edited[2] ?? {}, { group: 'another' });
    await history.replace?.(key, [...edited, recordOf('m5')], { version });
    const after = await backend.stored(key);
    const same = after.map(({ payload }, index) => payload === before[index]?.payload);
    expect(same).toEqual([true, false, false, true, false]);
    const reread = await history.load(key);
    expect(reread.records.slice(0, 4)).toEqual(edited);
    expect(reread.damaged).toEqual([]);
  });

  it('of another session does not take over the envelopes', async () => {
    const { history } = encrypted();
    const other = { ...key, sessionId: 'another' };
    await history.append(key, [recordOf('m1')]);
    const { records } = await history.load(key);
    const { version } = await history.load(other);
    await history.replace?.(other, records, { version });
    const moved = await history.load(other);
    expect(moved.damaged).toEqual([]);
    expect(moved.records).toEqual(records);
  });

  it('encrypts what lay there unencrypted', async () => {
    const { backend } = encrypted();
    const options = { backend, keys, currentKeyId: 'k1', allowPlaintext: true };
    const history = new EncryptedHistoryBackend(options);
    await backend.plant(key, [recordOf('m1')]);
    const { records, version } = await history.load(key);
    expect(records).toEqual([{ ...recordOf('m1'), sequence: 1 }]);
    await history.replace?.(key, records, { version });
    expect((await backend.stored(key))[0]?.payload).toMatch(/^minne-encrypted:1:k1:/);
    expect((await history.load(key)).records).toEqual(records);
  });
});
