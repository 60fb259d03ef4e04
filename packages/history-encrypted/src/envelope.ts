import { fromBase64, toBase64 } from './base64.js';

/** What every encrypted payload begins with. */
const marker = 'minne-encrypted:';

/** The layout of the envelopes that this version writes and reads. */
const layout = '1';

/** Bytes of a nonce: the 96 bits that NIST SP 800-38D (section 8.2) recommends for GCM. */
export const nonceLength = 12;

/** Bytes of the authentication tag, which Web Crypto puts at the end of the ciphertext. */
const tagLength = 16;

/** What is stored in the place of a payload. */
export interface Envelope {
  readonly keyId: string;
  readonly nonce: Uint8Array<ArrayBuffer>;
  /** With the authentication tag at its end. */
  readonly ciphertext: Uint8Array<ArrayBuffer>;
}

/** Why a payload is no envelope that can be read. */
export interface EnvelopeProblem {
  readonly reason: string;
  /** Whether it does not even say that it is encrypted. */
  readonly plain: boolean;
}

/** An envelope as text: marker, layout, key id and base64, joined by `:`. */
export function writeEnvelope({ keyId, nonce, ciphertext }: Envelope): string {
  const bytes = new Uint8Array(nonce.length + ciphertext.length);
  bytes.set(nonce);
  bytes.set(ciphertext, nonce.length);
  return `${marker}${layout}:${encodeURIComponent(keyId)}:${toBase64(bytes)}`;
}

/** Reads what {@link writeEnvelope} wrote, and nothing that differs from it in a single character. */
export function readEnvelope(payload: string): Envelope | EnvelopeProblem {
  if (!payload.startsWith(marker)) return { plain: true, reason: 'its payload is not encrypted' };
  const [written = '', writtenId = '', data = '', ...rest] = payload
    .slice(marker.length)
    .split(':');
  if (written !== layout) {
    return problem(
      `its envelope has layout ${written.slice(0, 20)}, and this version reads ${layout}`,
    );
  }
  const keyId = decodeKeyId(writtenId);
  if (keyId === undefined) return problem('its envelope names no key');
  const bytes = rest.length === 0 ? fromBase64(data) : undefined;
  if (bytes === undefined || bytes.length < nonceLength + tagLength) {
    return problem('its envelope is cut or changed');
  }
  return { keyId, nonce: bytes.slice(0, nonceLength), ciphertext: bytes.slice(nonceLength) };
}

function decodeKeyId(written: string): string | undefined {
  let keyId: string;
  try {
    keyId = decodeURIComponent(written);
  } catch {
    // A % that stands for no character: it was changed.
    return undefined;
  }
  return keyId !== '' && encodeURIComponent(keyId) === written ? keyId : undefined;
}

function problem(reason: string): EnvelopeProblem {
  return { plain: false, reason };
}
