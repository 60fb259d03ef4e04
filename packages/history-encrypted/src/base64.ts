/** How many characters are made of bytes in one call: within what a call may take as arguments. */
const chunkSize = 0x8000;

/** Bytes as base64 text, padded. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunkSize) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkSize));
  }
  return btoa(binary);
}

/**
 * The bytes of base64 text, or `undefined` when it is not what {@link toBase64} would have written: no spaces,
 * no missing padding, no stray bits at the end. So no two texts stand for the same bytes.
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  const tail = bytes.length % 3 === 0 ? 3 : bytes.length % 3;
  return toBase64(bytes.subarray(-tail)) === text.slice(-4) ? bytes : undefined;
}
