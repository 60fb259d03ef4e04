import type { HistoryBackend } from '@minne/core';

/** A `CryptoKey` of Web Crypto. */
export type EncryptionCryptoKey = Parameters<typeof crypto.subtle.encrypt>[1];

/**
 * A key of AES-256: 32 bytes, the same as base64 text (of either alphabet), or a `CryptoKey` for `AES-GCM` of
 * 256 bits that may encrypt and decrypt. Make one with `openssl rand -base64 32`.
 */
export type EncryptionKey = Uint8Array | string | EncryptionCryptoKey;

/**
 * Finds a key by its id, in a key management service for example. `undefined` says that there is none of that
 * id. Asked once for each id, and again only after it failed or found none.
 */
export type KeyProvider = (keyId: string) => Promise<EncryptionKey | undefined>;

/** Options of {@link EncryptedHistoryBackend}. */
export interface EncryptedHistoryOptions {
  /** Keeps what was encrypted. It is closed with the wrapper. */
  readonly backend: HistoryBackend;
  /** The keys by their ids, those of older messages included, or a function that finds them. */
  readonly keys: Readonly<Record<string, EncryptionKey>> | KeyProvider;
  /**
   * The id of the key that new messages are encrypted with. It is stored in the clear beside each message, at
   * most 256 bytes. Give every key an id of its own, and never one id to two keys.
   */
  readonly currentKeyId: string;
  /**
   * Whether messages that are not encrypted are read, too: those from before encryption was introduced. Whoever
   * can write to the store can then put messages of their own there. Default false: they are damaged records.
   */
  readonly allowPlaintext?: boolean;
  /**
   * When a load fails with a StoreError for messages that cannot be decrypted, rather than report them as damaged
   * and return the others: `all`, when not one message of what it loaded can be read; `any`, when one cannot;
   * `never`. Default `all`, so that a missing key is not taken for an empty history.
   */
  readonly failWhenUnreadable?: 'all' | 'any' | 'never';
}
