import {
  type AppendResult,
  ConfigurationError,
  ConflictError,
  checkHistoryKey,
  checkNewRecords,
  type DamagedRecord,
  type HistoryBackend,
  type HistoryCallOptions,
  type HistoryKey,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  type NewHistoryRecord,
  type ReplaceOptions,
  StoreError,
} from '@minne/core';
import type { EncryptedHistoryOptions } from './encrypted-history-options.js';
import { KeyRing } from './key-ring.js';
import { packageName } from './package-name.js';
import { PayloadCipher } from './payload-cipher.js';
import { type OpenedRecord, RecordCipher } from './record-cipher.js';

/** How often a rotation is tried when others write at the same time. */
const maximumAttempts = 4;

/**
 * Encrypts the payloads of messages before another backend sees them, with AES-256-GCM, and decrypts what that
 * backend gives back.
 *
 * It has `replace`, `list`, `eraseActor` and `close` if the other backend has them. What the other backend
 * promises it keeps: order, versions, remembered ids, trimming, expiry and durability are its work.
 *
 * A payload is bound to its session, source, message id, layout, group and kind: moved to another place, or with
 * one of these changed, it is a damaged record and never a message.
 *
 * @throws InvalidInputError, ConflictError and StoreError as the other backend does; ConfigurationError when the
 * current key cannot be used; StoreError when `keys` is a function that fails, and as `failWhenUnreadable` says.
 */
export class EncryptedHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  declare readonly replace?: NonNullable<HistoryBackend['replace']>;
  declare readonly list?: NonNullable<HistoryBackend['list']>;
  declare readonly eraseActor?: NonNullable<HistoryBackend['eraseActor']>;
  declare readonly close?: NonNullable<HistoryBackend['close']>;
  readonly #backend: HistoryBackend;
  readonly #keys: KeyRing;
  readonly #cipher: RecordCipher;
  readonly #failWhenUnreadable: 'all' | 'any' | 'never';

  /** @throws ConfigurationError for options that cannot work. Nothing of a key is shown. */
  constructor(options: EncryptedHistoryOptions) {
    const { backend, allowPlaintext = false, failWhenUnreadable = 'all' } = options;
    if (!['all', 'any', 'never'].includes(failWhenUnreadable)) {
      throw new ConfigurationError(
        `failWhenUnreadable is ${JSON.stringify(failWhenUnreadable)}. Give it 'all', 'any' or 'never'.`,
        { packageName, field: 'failWhenUnreadable' },
      );
    }
    this.#backend = backend;
    this.#keys = new KeyRing(options);
    this.#cipher = new RecordCipher(new PayloadCipher(this.#keys, allowPlaintext));
    this.#failWhenUnreadable = failWhenUnreadable;
    if (backend.replace !== undefined) {
      const { replace } = backend;
      this.replace = (key, records, call) =>
        this.#replace(replace.bind(backend), key, records, call);
    }
    if (backend.list !== undefined) this.list = backend.list.bind(backend);
    if (backend.eraseActor !== undefined) this.eraseActor = backend.eraseActor.bind(backend);
    if (backend.close !== undefined) this.close = backend.close.bind(backend);
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const own = copied(key, records);
    const ownKey = { ...key };
    const sealed = await this.#cipher.seal(ownKey, own, options.signal);
    return this.#backend.append(ownKey, sealed, options);
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const ownKey = { ...key };
    const loaded = await this.#backend.load(ownKey, options);
    const opened = await this.#cipher.open(ownKey, loaded.records, options.signal);
    const [records, unreadable] = divide(opened);
    this.#checkReadable(ownKey, records.length, unreadable);
    return { ...loaded, records, damaged: inOrder([...loaded.damaged, ...unreadable]) };
  }

  async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    await this.#backend.clear(key, options);
  }

  /**
   * Encrypts the messages of a session anew that are not encrypted with the current key, or not at all (with
   * `allowPlaintext`), in one step. Others stay as they are. To the backend it is a write, as far as expiry and
   * lists go. When others write at the same time it is tried again, four times in all.
   *
   * @returns How many messages were encrypted anew.
   * @throws ConfigurationError when the backend has no `replace`; StoreError when a message cannot be read, which
   * a rotation would lose; ConflictError when others came first again and again.
   */
  async rotate(key: HistoryKey, options: HistoryCallOptions = {}): Promise<number> {
    const { replace } = this.#backend;
    if (replace === undefined) {
      throw new ConfigurationError(
        'The backend has no `replace`, which a rotation needs. Use one that has.',
        { packageName, field: 'backend' },
      );
    }
    for (let attempt = 1; ; attempt += 1) {
      const loaded = await this.#backend.load(key, options);
      const opened = await this.#cipher.open(key, loaded.records, options.signal);
      const [, unreadable] = divide(opened);
      const lost = unreadable.length + loaded.damaged.length;
      if (lost > 0) {
        throw new StoreError(
          `The session holds ${lost} messages that cannot be read, which a rotation would lose${because(unreadable)}. Add the missing keys, or clear the session.`,
          { packageName, sessionId: key.sessionId },
        );
      }
      const stored = new Map(loaded.records.map((record) => [record.sequence, record]));
      const old = opened.flatMap(({ record, keyId }) =>
        record === undefined || keyId === this.#keys.currentKeyId ? [] : [record],
      );
      if (old.length === 0) return 0;
      for (const record of await this.#cipher.seal(key, old, options.signal)) {
        stored.set(record.sequence, record);
      }
      try {
        const { version } = loaded;
        await replace.call(this.#backend, key, [...stored.values()], { ...options, version });
        return old.length;
      } catch (error) {
        if (!ConflictError.isInstance(error) || attempt === maximumAttempts) throw error;
      }
    }
  }

  async #replace(
    replace: NonNullable<HistoryBackend['replace']>,
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const own = copied(key, records);
    const ownKey = { ...key };
    const call = { ...options };
    const known = records.map((record) => this.#cipher.envelopeOf(key, record));
    let stored: readonly HistoryRecord[] = [];
    if (own.some((record, index) => 'sequence' in record && known[index] === undefined)) {
      const { signal, state } = call;
      const asked = { ...(signal && { signal }), ...(state && { state }) };
      stored = (await this.#backend.load(ownKey, asked)).records;
    }
    const changes = { records: own, known, stored };
    const sealed = await this.#cipher.sealChanged(ownKey, changes, call.signal);
    return replace(ownKey, sealed, call);
  }

  #checkReadable(
    { sessionId }: HistoryKey,
    readable: number,
    unreadable: readonly DamagedRecord[],
  ): void {
    if (unreadable.length === 0 || this.#failWhenUnreadable === 'never') return;
    if (this.#failWhenUnreadable === 'all' && readable > 0) return;
    throw new StoreError(
      `${unreadable.length} of ${unreadable.length + readable} messages of session ${sessionId} cannot be decrypted${because(unreadable)}. Add the missing keys, or set failWhenUnreadable to get the others.`,
      { packageName, sessionId },
    );
  }
}

/** The records as they are now, whatever the caller does to them while they are encrypted. */
function copied<R extends NewHistoryRecord>(key: HistoryKey, records: readonly R[]): R[] {
  checkHistoryKey(key, { packageName });
  checkNewRecords(records, { packageName, sessionId: key.sessionId });
  return records.map((record) => ({ ...record }));
}

function divide(opened: readonly OpenedRecord[]): [HistoryRecord[], DamagedRecord[]] {
  const records: HistoryRecord[] = [];
  const damaged: DamagedRecord[] = [];
  for (const { record, sequence, reason } of opened) {
    if (record !== undefined) records.push(record);
    else damaged.push({ sequence, reason });
  }
  return [records, damaged];
}

function inOrder(damaged: readonly DamagedRecord[]): DamagedRecord[] {
  return damaged.toSorted((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0));
}

function because([first]: readonly DamagedRecord[]): string {
  return first === undefined ? '' : ` (sequence ${first.sequence}: ${first.reason})`;
}
