import { ConfigurationError, checkId, MinneError, StoreError } from '@minne/core';
import type { EncryptedHistoryOptions, EncryptionCryptoKey } from './encrypted-history-options.js';
import { type CheckedKey, checkKey, importKey } from './encryption-key.js';
import { packageName } from './package-name.js';

/** Finds keys by their ids, and imports each once. */
export class KeyRing {
  readonly #find: (keyId: string) => Promise<CheckedKey | undefined>;
  readonly #currentKeyId: string;
  readonly #imported = new Map<string, Promise<EncryptionCryptoKey | undefined>>();

  /** @throws ConfigurationError for a key or an id that cannot be used, or when the current key is missing. */
  constructor({ keys, currentKeyId }: Pick<EncryptedHistoryOptions, 'keys' | 'currentKeyId'>) {
    checkKeyId(currentKeyId, 'currentKeyId');
    this.#currentKeyId = currentKeyId;
    if (typeof keys === 'function') {
      this.#find = async (keyId) => {
        const key = await keys(keyId);
        return key === undefined ? undefined : checkKey(key, keyId);
      };
      return;
    }
    const checked = new Map<string, CheckedKey>();
    for (const [keyId, key] of Object.entries(keys)) {
      checkKeyId(keyId, 'keys');
      checked.set(keyId, checkKey(key, keyId));
    }
    if (!checked.has(currentKeyId)) throw missingCurrentKey(currentKeyId);
    this.#find = async (keyId) => checked.get(keyId);
  }

  get currentKeyId(): string {
    return this.#currentKeyId;
  }

  /** @throws ConfigurationError when there is none; otherwise as {@link KeyRing.find}. */
  async current(signal: AbortSignal | undefined): Promise<EncryptionCryptoKey> {
    const key = await this.find(this.#currentKeyId, signal);
    if (key === undefined) throw missingCurrentKey(this.#currentKeyId);
    return key;
  }

  /**
   * The key of this id, or `undefined` when there is none.
   *
   * @throws StoreError when the function that finds keys failed; ConfigurationError when what it found is no key;
   * the reason of `signal`.
   */
  async find(
    keyId: string,
    signal: AbortSignal | undefined,
  ): Promise<EncryptionCryptoKey | undefined> {
    signal?.throwIfAborted();
    const known = this.#imported.get(keyId) ?? this.#import(keyId);
    this.#imported.set(keyId, known);
    return unlessAborted(known, signal);
  }

  async #import(keyId: string): Promise<EncryptionCryptoKey | undefined> {
    try {
      const key = await this.#find(keyId);
      if (key !== undefined) return await importKey(key);
      this.#imported.delete(keyId);
      return undefined;
    } catch (cause) {
      this.#imported.delete(keyId);
      if (MinneError.isInstance(cause)) throw cause;
      throw new StoreError(
        `The key ${JSON.stringify(keyId)} could not be had: the function in \`keys\` failed. Its error is the cause of this one.`,
        { packageName, field: 'keys', cause, retryable: true },
      );
    }
  }
}

function checkKeyId(keyId: unknown, field: string): void {
  try {
    checkId(keyId, field, { packageName });
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(`The id of a key: ${text}`, { packageName, field, cause });
  }
}

function missingCurrentKey(keyId: string): ConfigurationError {
  return new ConfigurationError(
    `currentKeyId is ${JSON.stringify(keyId)}, and \`keys\` has no such key. Add the key, or name one that is there.`,
    { packageName, field: 'currentKeyId' },
  );
}

/** What a promise gives, or the reason of the signal, whichever comes first. */
async function unlessAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  if (signal === undefined) return promise;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
