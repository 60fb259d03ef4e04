import type { HistoryKey, NewHistoryRecord } from '@minne/core';
import type { EncryptionCryptoKey } from './encrypted-history-options.js';
import { nonceLength, readEnvelope, writeEnvelope } from './envelope.js';
import type { KeyRing } from './key-ring.js';

const encoder = new TextEncoder();

/** A byte order mark at the beginning is part of the text. */
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What came of decrypting a payload. */
export type OpenedPayload =
  | {
      readonly payload: string;
      /** `undefined`: it was not encrypted. */
      readonly keyId: string | undefined;
    }
  | { readonly reason: string };

/** What a payload is bound to: it can be read only there. */
export interface PayloadPlace {
  readonly key: HistoryKey;
  /** The clear part of its record. */
  readonly record: Pick<NewHistoryRecord, 'v' | 'id' | 'group' | 'kind'>;
}

/** Encrypts and decrypts payloads with the keys of a ring. */
export class PayloadCipher {
  readonly #keys: KeyRing;
  readonly #allowPlaintext: boolean;

  constructor(keys: KeyRing, allowPlaintext: boolean) {
    this.#keys = keys;
    this.#allowPlaintext = allowPlaintext;
  }

  /** A payload, encrypted with the current key under a new nonce. */
  async seal(
    payload: string,
    place: PayloadPlace,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const key = await this.#keys.current(signal);
    const keyId = this.#keys.currentKeyId;
    const nonce = crypto.getRandomValues(new Uint8Array(nonceLength));
    const additionalData = boundTo(place, keyId);
    const algorithm = { name: 'AES-GCM', iv: nonce, additionalData };
    const sealed = await crypto.subtle.encrypt(algorithm, key, encoder.encode(payload));
    return writeEnvelope({ keyId, nonce, ciphertext: new Uint8Array(sealed) });
  }

  /** The payload in an envelope, or the reason why it cannot be had. */
  async open(
    envelope: string,
    place: PayloadPlace,
    signal: AbortSignal | undefined,
  ): Promise<OpenedPayload> {
    const read = readEnvelope(envelope);
    if ('reason' in read) {
      if (!read.plain || !this.#allowPlaintext) return { reason: read.reason };
      return isMessageText(envelope)
        ? { payload: envelope, keyId: undefined }
        : { reason: 'its payload is neither encrypted nor a message' };
    }
    const { keyId, nonce, ciphertext } = read;
    const key = await this.#keys.find(keyId, signal);
    if (key === undefined) {
      return {
        reason: `it is encrypted with the key ${JSON.stringify(keyId)}, which is not among \`keys\``,
      };
    }
    const additionalData = boundTo(place, keyId);
    const bytes = await decrypt(key, { nonce, additionalData, ciphertext });
    if (bytes === undefined) {
      return {
        reason: `it cannot be decrypted with the key ${JSON.stringify(keyId)}: it was changed or moved, or the key is another one of that id`,
      };
    }
    return { payload: decoder.decode(bytes), keyId };
  }
}

/** Everything that must be as it was when the payload was encrypted, written so that no two places are alike. */
function boundTo({ key, record }: PayloadPlace, keyId: string): Uint8Array<ArrayBuffer> {
  const { sessionId, sourceId } = key;
  const { v, id, group, kind } = record;
  return encoder.encode(
    JSON.stringify(['minne', 1, keyId, sessionId, sourceId, v, id, group, kind]),
  );
}

interface Sealed {
  readonly nonce: Uint8Array<ArrayBuffer>;
  readonly additionalData: Uint8Array<ArrayBuffer>;
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** @returns `undefined` when it is not authentic. */
async function decrypt(
  key: EncryptionCryptoKey,
  { nonce, additionalData, ciphertext }: Sealed,
): Promise<ArrayBuffer | undefined> {
  try {
    const algorithm = { name: 'AES-GCM', iv: nonce, additionalData };
    return await crypto.subtle.decrypt(algorithm, key, ciphertext);
  } catch {
    // Web Crypto tells nothing beyond that it failed, and the parameters are always of the right form.
    return undefined;
  }
}

function isMessageText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    // No JSON, so no message.
    return false;
  }
}
