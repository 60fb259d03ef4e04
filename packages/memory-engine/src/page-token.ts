import { invalidParameter } from '@minne/core/memory';
import { sha256 } from './sha256.js';

/**
 * Makes a page token: where the next page begins, bound to the listing and the place it was made for.
 * @param binding - The caller and the filters, in a fixed order.
 */
export async function encodePageToken(
  binding: readonly unknown[],
  place: readonly string[],
): Promise<string> {
  const text = JSON.stringify([await digest(binding, place), ...place]);
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * The place in a page token, of `length` strings.
 * @throws MemoryError `INVALID_PARAMETER_VALUE` for a token that another listing gave, or none.
 */
export async function decodePageToken(
  token: unknown,
  binding: readonly unknown[],
  length: number,
): Promise<readonly string[]> {
  const [bound, ...place] = parseToken(token);
  if (bound !== (await digest(binding, place)) || place.length !== length) {
    throw invalidParameter(
      'page_token',
      'must be one that this listing gave, with the same caller and filters. Leave it out to begin again.',
    );
  }
  return place;
}

function parseToken(token: unknown): readonly string[] {
  if (typeof token !== 'string' || !/^[\w-]+$/.test(token)) return [];
  try {
    const binary = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(value) ? value.filter((part) => typeof part === 'string') : [];
  } catch {
    // Not base64, UTF-8 or JSON: not a token, which the caller reports.
    return [];
  }
}

async function digest(binding: readonly unknown[], place: readonly string[]): Promise<string> {
  return (await sha256(JSON.stringify([binding, place]))).slice(0, 32);
}
