import { ConfigurationError } from '@minne/core';
import { fromBase64 } from './base64.js';
import type { EncryptionCryptoKey, EncryptionKey } from './encrypted-history-options.js';
import { packageName } from './package-name.js';

const keyLength = 32;

/** A key that was checked: bytes of its own, or a `CryptoKey`. */
export type CheckedKey = Uint8Array<ArrayBuffer> | EncryptionCryptoKey;

/**
 * Checks a key.
 *
 * @throws ConfigurationError that names the key by its id, and shows nothing of the key.
 */
export function checkKey(key: EncryptionKey, keyId: string): CheckedKey {
  if (isCryptoKey(key)) return checkCryptoKey(key, keyId);
  const bytes = typeof key === 'string' ? decodeKey(key, keyId) : key;
  if (!(bytes instanceof Uint8Array)) {
    throw refused(keyId, 'is neither bytes, nor base64 text, nor a CryptoKey');
  }
  if (bytes.length !== keyLength) {
    throw refused(keyId, `has ${bytes.length} bytes and needs ${keyLength}`);
  }
  return Uint8Array.from(bytes);
}

/** The key for Web Crypto, from which its bytes cannot be had again. */
export async function importKey(key: CheckedKey): Promise<EncryptionCryptoKey> {
  if (isCryptoKey(key)) return key;
  return crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

function decodeKey(text: string, keyId: string): Uint8Array {
  const standard = text.trim().replaceAll('-', '+').replaceAll('_', '/');
  const bytes = fromBase64(standard.padEnd(Math.ceil(standard.length / 4) * 4, '='));
  if (bytes === undefined) throw refused(keyId, 'is text that is not base64');
  return bytes;
}

function checkCryptoKey(key: EncryptionCryptoKey, keyId: string): EncryptionCryptoKey {
  const { name, length } = key.algorithm as { readonly name: string; readonly length?: number };
  if (name !== 'AES-GCM' || length !== keyLength * 8) {
    throw refused(
      keyId,
      `is a CryptoKey for ${name} of ${length ?? 'unknown'} bits, not AES-GCM of 256`,
    );
  }
  for (const usage of ['encrypt', 'decrypt'] as const) {
    if (!key.usages.includes(usage)) throw refused(keyId, `is a CryptoKey that may not ${usage}`);
  }
  return key;
}

function isCryptoKey(key: EncryptionKey): key is EncryptionCryptoKey {
  return typeof key === 'object' && key !== null && 'algorithm' in key && 'usages' in key;
}

function refused(keyId: string, problem: string): ConfigurationError {
  return new ConfigurationError(
    `The key ${JSON.stringify(keyId)} ${problem}. Give it ${keyLength} random bytes, as \`openssl rand -base64 ${keyLength}\` makes them.`,
    { packageName, field: 'keys' },
  );
}
