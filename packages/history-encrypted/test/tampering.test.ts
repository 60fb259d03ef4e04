import type { HistoryKey, HistoryRecord, RecordKind } from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EncryptedHistoryBackend } from '../src/index.js';
import { keyBytes, keys } from './keys.js';
import { key, RecordingBackend, recordOf } from './recording-backend.js';

const currentKeyId = 'k1';
const runs = { numRuns: 200 };

/** A history of two messages, of which the first will be tampered with. */
async function written(options: { readonly allowPlaintext?: boolean } = {}) {
  const backend = new RecordingBackend();
  const history = new EncryptedHistoryBackend({ backend, keys, currentKeyId, ...options });
  await history.append(key, [recordOf('m1'), recordOf('m2')]);
  const [first, second] = await backend.stored(key);
  if (first === undefined || second === undefined) throw new Error('Nothing was stored.');
  return { backend, history, first, second };
}

/** What is loaded when the first record is another. */
async function loadedWith(
  { backend, history, second }: Awaited<ReturnType<typeof written>>,
  tampered: HistoryRecord,
) {
  await backend.plant(key, [tampered, second]);
  return history.load(key);
}

const plainRecord = { ...recordOf('m2'), sequence: 2 };

describe('a record that was tampered with is damaged, and its text is never shown', () => {
  it('in any character of the payload', async () => {
    for (const allowPlaintext of [false, true]) {
      const store = await written({ allowPlaintext });
      const { payload } = store.first;
      const change = fc.tuple(
        fc.nat(payload.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.constantFrom('flip', 'cut', 'insert', 'end'),
      );
      await fc.assert(
        fc.asyncProperty(change, async ([place, bits, how]) => {
          const flipped = String.fromCharCode(payload.charCodeAt(place) ^ bits);
          const rest = how === 'insert' ? place : place + 1;
          const middle = how === 'cut' ? '' : flipped;
          const changed =
            how === 'end'
              ? payload.slice(0, place)
              : payload.slice(0, place) + middle + payload.slice(rest);
          const loaded = await loadedWith(store, { ...store.first, payload: changed });
          expect(loaded.records).toEqual([plainRecord]);
          expect(loaded.damaged).toEqual([{ sequence: 1, reason: expect.any(String) }]);
          expect(loaded.damaged[0]?.reason).not.toContain('secret');
        }),
        runs,
      );
    }
  }, 30_000);

  it('in the last bits of base64, which stand for nothing', async () => {
    const backend = new RecordingBackend();
    const history = new EncryptedHistoryBackend({ backend, keys, currentKeyId });
    for (const length of [1, 2, 3]) {
      const record = { ...recordOf('m1'), payload: 'x'.repeat(length) };
      await backend.plant(key, []);
      const { version } = await history.load(key);
      await history.replace?.(key, [record, recordOf('m2')], { version });
      const [first, second] = await backend.stored(key);
      if (first === undefined || second === undefined) throw new Error('Nothing was stored.');
      const last = first.payload.search(/.=*$/);
      for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
        if (first.payload[last] === character) continue;
        const payload = first.payload.slice(0, last) + character + first.payload.slice(last + 1);
        await backend.plant(key, [{ ...first, payload }, second]);
        expect((await history.load(key)).damaged.length, `${length} ${character}`).toBe(1);
      }
    }
  });

  it('in any part that is stored in the clear', async () => {
    const store = await written();
    const part = fc.oneof(
      fc.record({ v: fc.integer({ min: 2, max: 1000 }) }),
      fc.record({ id: otherThan('m1', 'm2') }),
      fc.record({ group: otherThan('group of m1') }),
      fc.record({
        kind: fc.constantFrom<RecordKind>('system', 'assistant', 'tool', 'summary'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(part, async (changed) => {
        const loaded = await loadedWith(store, { ...store.first, ...changed });
        expect(loaded.records).toEqual([plainRecord]);
        expect(loaded.damaged).toEqual([
          { sequence: 1, reason: expect.stringContaining('changed or moved') },
        ]);
      }),
      runs,
    );
  });

  it('when it lies in the place of another message', async () => {
    const store = await written();
    const { payload } = store.second;
    const loaded = await loadedWith(store, { ...store.first, payload });
    expect(loaded.records).toEqual([plainRecord]);
    expect(loaded.damaged.length).toBe(1);
  });

  it('when it lies in another session or source, whatever their names run together to', async () => {
    const name = fc.constantFrom('a', 'a:b', 'b', 'b:c', 'c', 'a"', '","', 'a","b');
    const place = fc.record({ sessionId: name, sourceId: name });
    await fc.assert(
      fc.asyncProperty(place, place, async (from: HistoryKey, to: HistoryKey) => {
        fc.pre(from.sessionId !== to.sessionId || from.sourceId !== to.sourceId);
        const backend = new RecordingBackend();
        const history = new EncryptedHistoryBackend({ backend, keys, currentKeyId });
        await history.append(from, [recordOf('m1')]);
        await history.append(to, [recordOf('m2')]);
        await backend.plant(to, [
          ...(await backend.stored(from)),
          ...(await sealedAt(backend, to)),
        ]);
        const loaded = await history.load(to);
        expect(loaded.records.map(({ id }) => id)).toEqual(['m2']);
        expect(loaded.damaged.length).toBe(1);
      }),
      runs,
    );
  });

  it('when its envelope names another key', async () => {
    const backend = new RecordingBackend();
    const both = { k1: keyBytes(1), k2: keyBytes(2), k3: keyBytes(1) };
    const history = new EncryptedHistoryBackend({ backend, keys: both, currentKeyId });
    await history.append(key, [recordOf('m1'), recordOf('m2')]);
    const [first, second] = await backend.stored(key);
    if (first === undefined || second === undefined) throw new Error('Nothing was stored.');
    // k3 has the very bytes of k1: the id itself is bound, too.
    for (const other of ['k2', 'k3', 'k4']) {
      const payload = first.payload.replace(':k1:', `:${other}:`);
      await backend.plant(key, [{ ...first, payload }, second]);
      const { records, damaged } = await history.load(key);
      expect(records).toEqual([plainRecord]);
      expect(damaged[0]?.reason).toContain(`"${other}"`);
    }
  });
});

it('keeps every text, at every length', async () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed());
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(text, fc.constant('\ufeffmark')), { minLength: 1 }),
      async (texts) => {
        const backend = new RecordingBackend();
        const history = new EncryptedHistoryBackend({ backend, keys, currentKeyId });
        const records = texts.map((payload, index) => ({ ...recordOf(`m${index}`), payload }));
        await history.append(key, records);
        const loaded = await history.load(key);
        expect(loaded.records.map(({ payload }) => payload)).toEqual(texts);
      },
    ),
    runs,
  );
});

async function sealedAt(backend: RecordingBackend, place: HistoryKey) {
  return (await backend.stored(place)).map(({ sequence: _, ...record }) => record);
}

function otherThan(...values: readonly string[]) {
  return fc
    .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
    .filter((value) => !values.includes(value) && value.isWellFormed() && !value.includes('\0'));
}
