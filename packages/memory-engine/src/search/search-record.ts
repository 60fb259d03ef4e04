import { engineError } from '../engine-error.js';

/** What the engine needs to find an entry without reading it. */
export interface SearchRecord {
  readonly path: string;
  readonly sessionId: string | null;
  /** Milliseconds since 1970; infinite when the entry does not expire. */
  readonly expiresAt: number;
  /** The revision of the entry that this was made of. */
  readonly revision: number;
  /** The length of the text in words, for ranking. */
  readonly length: number;
  /** See `packTerms`. */
  readonly terms: string;
}

/** The layout that this version writes. The next one comes with the first change of the analysis, too. */
const layout = 1;
const headerSize = 17;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Packs a record: layout (byte), time of expiry (float64), revision and length (uint32 each), and as
 * UTF-8 the path, a line feed, the session or nothing, and the terms, which begin with a line feed.
 */
export function encodeSearchRecord(record: SearchRecord): Uint8Array {
  const text = encoder.encode(`${record.path}\n${record.sessionId ?? ''}${record.terms}`);
  const bytes = new Uint8Array(headerSize + text.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, layout);
  view.setFloat64(1, record.expiresAt);
  view.setUint32(9, record.revision);
  view.setUint32(13, record.length);
  bytes.set(text, headerSize);
  return bytes;
}

/** @throws MemoryError `INTERNAL_ERROR` for a record that this version cannot read. */
export function decodeSearchRecord(bytes: Uint8Array): SearchRecord {
  if (bytes[0] !== layout || bytes.length < headerSize) {
    throw engineError(
      'INTERNAL_ERROR',
      `A search record has layout ${bytes[0]}, and this version reads ${layout}. Use the version of @minne/memory-engine that wrote it, or a newer one.`,
    );
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = decoder.decode(bytes.subarray(headerSize));
  const pathEnd = text.indexOf('\n');
  const sessionEnd = text.indexOf('\n', pathEnd + 1);
  const sessionId = text.slice(pathEnd + 1, sessionEnd);
  return {
    path: text.slice(0, pathEnd),
    sessionId: sessionId === '' ? null : sessionId,
    expiresAt: view.getFloat64(1),
    revision: view.getUint32(9),
    length: view.getUint32(13),
    terms: text.slice(sessionEnd),
  };
}
