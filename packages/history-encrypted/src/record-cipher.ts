import type { HistoryKey, HistoryRecord, NewHistoryRecord } from '@minne/core';
import type { PayloadCipher } from './payload-cipher.js';

/** How many records are encrypted or decrypted at a time, before the signal is looked at. */
const batchSize = 256;

/** What came of a record that was decrypted: the record, or the reason why there is none. */
export type OpenedRecord =
  | {
      readonly record: HistoryRecord;
      readonly keyId: string | undefined;
      readonly sequence: number;
      readonly reason?: never;
    }
  | {
      readonly record?: never;
      readonly keyId?: never;
      readonly sequence: number;
      readonly reason: string;
    };

/** What a replacement is made of. */
export interface Replacement<R> {
  readonly records: readonly R[];
  /** The envelope of each record that is known to be unchanged. */
  readonly known: readonly (string | undefined)[];
  /** What is stored, encrypted. */
  readonly stored: readonly HistoryRecord[];
}

/** Where a record came from, and as what it is stored there. */
interface Origin {
  readonly sessionId: string;
  readonly sourceId: string;
  readonly envelope: string;
}

/** Encrypts and decrypts records, and knows the envelopes of those that it decrypted. */
export class RecordCipher {
  readonly #payloads: PayloadCipher;
  /** By records that are frozen, so that an envelope never stands for another text. */
  readonly #origins = new WeakMap<NewHistoryRecord, Origin>();

  constructor(payloads: PayloadCipher) {
    this.#payloads = payloads;
  }

  /** The records with their payloads encrypted. */
  seal<R extends NewHistoryRecord>(
    key: HistoryKey,
    records: readonly R[],
    signal: AbortSignal | undefined,
  ): Promise<R[]> {
    return inBatches(records, signal, (record) => this.#seal(key, record, signal));
  }

  /** The same, but records that are stored just so keep the envelope that they have. */
  sealChanged<R extends NewHistoryRecord>(
    key: HistoryKey,
    { records, known, stored }: Replacement<R>,
    signal: AbortSignal | undefined,
  ): Promise<R[]> {
    const storedById = new Map(stored.map((record) => [record.id, record]));
    return inBatches(records, signal, async (record, index) => {
      const envelope =
        known[index] ?? (await this.#unchanged(key, record, storedById.get(record.id), signal));
      return envelope === undefined
        ? this.#seal(key, record, signal)
        : { ...record, payload: envelope };
    });
  }

  /** What can be read of records, and what cannot. */
  open(
    key: HistoryKey,
    records: readonly HistoryRecord[],
    signal: AbortSignal | undefined,
  ): Promise<OpenedRecord[]> {
    const { sessionId, sourceId } = key;
    return inBatches(records, signal, async ({ v, sequence, id, group, kind, payload }) => {
      const record = { v, id, group, kind };
      const opened = await this.#payloads.open(payload, { key, record }, signal);
      if ('reason' in opened) return { sequence, reason: opened.reason };
      const readable = Object.freeze({ v, sequence, id, group, kind, payload: opened.payload });
      if (opened.keyId !== undefined) {
        this.#origins.set(readable, { sessionId, sourceId, envelope: payload });
      }
      return { record: readable, sequence, keyId: opened.keyId };
    });
  }

  /** The envelope of a record that was loaded from this history and is the very same. */
  envelopeOf({ sessionId, sourceId }: HistoryKey, record: NewHistoryRecord): string | undefined {
    const origin = this.#origins.get(record);
    return origin?.sessionId === sessionId && origin.sourceId === sourceId
      ? origin.envelope
      : undefined;
  }

  async #seal<R extends NewHistoryRecord>(
    key: HistoryKey,
    record: R,
    signal: AbortSignal | undefined,
  ): Promise<R> {
    return {
      ...record,
      payload: await this.#payloads.seal(record.payload, { key, record }, signal),
    };
  }

  /** The stored envelope, if it holds just this record. */
  async #unchanged(
    key: HistoryKey,
    record: NewHistoryRecord,
    stored: HistoryRecord | undefined,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    if (stored === undefined) return undefined;
    // What it is bound to is what it is to be stored with: another group or kind does not open it.
    const opened = await this.#payloads.open(stored.payload, { key, record }, signal);
    return 'payload' in opened && opened.keyId !== undefined && opened.payload === record.payload
      ? stored.payload
      : undefined;
  }
}

async function inBatches<In, Out>(
  items: readonly In[],
  signal: AbortSignal | undefined,
  work: (item: In, index: number) => Promise<Out>,
): Promise<Out[]> {
  const done: Out[] = [];
  for (let start = 0; start < items.length; start += batchSize) {
    signal?.throwIfAborted();
    const batch = items.slice(start, start + batchSize);
    done.push(...(await Promise.all(batch.map((item, index) => work(item, start + index)))));
  }
  return done;
}
