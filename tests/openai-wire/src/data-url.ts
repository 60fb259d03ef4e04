/** The parts of a base64 data URL. */
export interface DataUrl {
  readonly mediaType: string;
  readonly data: string;
}

/** The parts of `url`, or `undefined` when it is not a base64 data URL (RFC 2397). */
export function parseDataUrl(url: string): DataUrl | undefined {
  const match = /^data:([^;,]+)(?:;[^;,]+)*;base64,(.*)$/s.exec(url);
  if (match === null) return undefined;
  return { mediaType: match[1] ?? '', data: match[2] ?? '' };
}

/** Whether `text` is canonical base64 (RFC 4648 §4) of at least one byte. */
export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
