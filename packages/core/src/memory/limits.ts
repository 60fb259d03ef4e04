/** The limits of the memory API, checked by client and server alike. Sizes are bytes of UTF-8. */
export const memoryLimits = {
  body: 1024 * 1024,
  batchBody: 8 * 1024 * 1024,
  content: 256 * 1024,
  description: 4 * 1024,
  path: 1024,
  identifier: 256,
  query: 8 * 1024,
  metadataPairs: 32,
  metadataKey: 64,
  metadataValue: 1024,
  jsonDepth: 32,
  pageSize: 100,
  batchItems: 100,
} as const;

const encoder = new TextEncoder();

/** The length of `text` in bytes of UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).byteLength;
}
