import type { HistoryRecord, NewHistoryRecord } from '@minne/core';
import { expect } from 'vitest';
import { tryToChange } from '../../shared/outcomes.js';
import { awkwardTexts } from '../../shared/sample-texts.js';
import type { HistoryBackendCase } from '../history-backend-case.js';
import {
  idsIn,
  idsUpTo,
  keyOf,
  payloadOf,
  recordOf,
  recordsOf,
  withoutSequence,
} from '../sample-records.js';

/** Keeping exactly what was handed over, and handing out copies. */
export const contentCases: readonly HistoryBackendCase[] = [
  {
    name: 'keeps every character of a message',
    async run(context) {
      const history = await context.open();
      const records = Object.entries(awkwardTexts).map(([name, text]) =>
        recordOf(name, { payload: payloadOf(name, text) }),
      );
      await history.append(keyOf(), records);
      for (const { id, payload } of (await history.load(keyOf())).records) {
        expect(payload, id).toBe(payloadOf(id, awkwardTexts[id] ?? ''));
        const message = JSON.parse(payload) as { contents: [{ text: string }] };
        expect(message.contents[0].text, id).toBe(awkwardTexts[id]);
      }
      expect(idsIn(await history.load(keyOf()))).toEqual(Object.keys(awkwardTexts));
    },
  },
  {
    name: 'keeps a payload that is not JSON as it is',
    async run(context) {
      const history = await context.open();
      const records = ['v1.AAECAwQ=.ciphertext', ' {"a" :1} ', '{"b":1,"a":1e2}', 'null', ''].map(
        (payload, index) => recordOf(`m${index}`, { payload }),
      );
      await history.append(keyOf(), records);
      expect(withoutSequence(await history.load(keyOf()))).toEqual(records);
    },
  },
  {
    name: 'keeps U+0000 in a payload, and tells it from the text of its escape',
    async run(context) {
      const history = await context.open();
      const payloads = ['a\0b', '\0', 'a\\u0000b', 'a\\\\u0000b', 'a\\0b', 'a\u2400b', 'ab'];
      const records = payloads.map((payload, index) => recordOf(`m${index}`, { payload }));
      await history.append(keyOf(), records);
      expect(withoutSequence(await history.load(keyOf()))).toEqual(records);
    },
  },
  {
    name: 'keeps numbers as they are written, those included that JavaScript cannot hold',
    async run(context) {
      const history = await context.open();
      const payload =
        '{"a":12345678901234567890.10,"b":1e400,"c":-0,"d":1.0,"e":9007199254740993,"f":1E5,"f":2}';
      await history.append(keyOf(), [recordOf('m1', { payload })]);
      const { records } = await history.load(keyOf());
      expect(records.map((record) => record.payload)).toEqual([payload]);
    },
  },
  {
    name: 'keeps ids and groups exactly, long ones included',
    async run(context) {
      const history = await context.open();
      const ids = ['é', 'e\u0301', 'M', 'm', ' m', 'm ', '1', '01', '__proto__', '🙂'];
      ids.push(`${'x'.repeat(1023)}1`, `${'x'.repeat(1023)}2`);
      const records = ids.map((id) => recordOf(id, { group: `group of ${id}`.slice(0, 1024) }));
      expect((await history.append(keyOf(), records)).duplicates).toEqual([]);
      expect(withoutSequence(await history.load(keyOf()))).toEqual(records);
    },
  },
  {
    name: 'keeps a message of 1 MiB among small ones',
    async run(context) {
      const history = await context.open();
      const text = Array.from({ length: 1024 }, (_, line) => `${line} `.padEnd(1024, 'xé')).join(
        '',
      );
      const records = [recordOf('m1'), recordOf('m2', { payload: text }), recordOf('m3')];
      await history.append(keyOf(), records);
      const loaded = await history.load(keyOf());
      expect(idsIn(loaded)).toEqual(idsUpTo(3));
      expect(loaded.records[1]?.payload === text, 'the text is the same').toBe(true);
    },
  },
  {
    name: 'keeps a message of 5 MB',
    async run(context) {
      const history = await context.open();
      const payload = payloadOf('m2', 'åäö🙂 \\u0000 '.repeat(300_000));
      expect(new TextEncoder().encode(payload).byteLength).toBeGreaterThan(5_000_000);
      await history.append(keyOf(), [recordOf('m1'), recordOf('m2', { payload }), recordOf('m3')]);
      const loaded = await history.load(keyOf(), { limit: 2 });
      expect(idsIn(loaded)).toEqual(['m2', 'm3']);
      expect(loaded.records[0]?.payload === payload, 'the text is the same').toBe(true);
    },
  },
  {
    name: 'keeps nothing that a caller could change afterwards',
    async run(context) {
      const history = await context.open();
      const records = recordsOf('m1', 'm2');
      const appending = history.append(keyOf(), records);
      spoil(records);
      await appending;
      const first = await history.load(keyOf(), { ids: ['m1'] });
      expect(
        withoutSequence(first),
        'the records as they were when append was called, although the caller changed them before it resolved',
      ).toEqual(recordsOf('m1', 'm2'));
      spoil(first.records);
      tryToChange(() => Object.assign(first.knownIds, { 0: 'm9' }));
      const second = await history.load(keyOf(), { ids: ['m1', 'm9'] });
      expect(
        withoutSequence(second),
        'the records as they are stored, although the caller changed what was loaded before',
      ).toEqual(recordsOf('m1', 'm2'));
      expect(second.knownIds).toEqual(['m1']);
      const again = await history.append(keyOf(), recordsOf('m1', 'm3'));
      expect(again.duplicates).toEqual(['m1']);
    },
  },
];

/** Changes records and their array in every way that JavaScript allows. */
function spoil(records: readonly (NewHistoryRecord | HistoryRecord)[]): void {
  for (const record of records) {
    tryToChange(() => Object.assign(record, { id: 'm9', payload: 'spoilt', kind: 'system' }));
  }
  tryToChange(() => Object.assign(records, { length: 0 }));
}
