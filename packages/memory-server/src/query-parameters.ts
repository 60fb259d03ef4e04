import { invalidParameter, viewSchema } from '@minne/core/memory';
import { decode } from './decode.js';

/** What stands behind the `?` of a request, each name at most once. */
export type QueryParameters = ReadonlyMap<string, string>;

/**
 * Reads the query of an address. Strict, where `URLSearchParams` is not: a sequence that is not UTF-8 is
 * refused instead of replaced, and so is a name that comes twice, of which two readers may see different ones.
 * @throws MemoryError
 */
export function parseQuery(url: string): QueryParameters {
  const parameters = new Map<string, string>();
  for (const pair of new URL(url).search.slice(1).split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodeText(at === -1 ? pair : pair.slice(0, at));
    if (parameters.has(name)) throw invalidParameter(name, 'must not be given twice.');
    parameters.set(name, at === -1 ? '' : decodeText(pair.slice(at + 1)));
  }
  return parameters;
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidParameter('The query of the address', 'must be percent-encoded UTF-8.');
  }
}

/** @throws MemoryError when the parameter is missing. */
export function required(query: QueryParameters, name: string): string {
  const value = query.get(name);
  if (value === undefined) throw invalidParameter(name, 'is required in the query.');
  return value;
}

/** Where a listing begins and how long it may be. */
export interface Paging {
  readonly pageSize?: number;
  readonly pageToken?: string;
}

/** @throws MemoryError when `page_size` is not a plain whole number. An empty token is none. */
export function paging(query: QueryParameters): Paging {
  const size = query.get('page_size');
  const token = query.get('page_token');
  if (size !== undefined && !/^[1-9]\d{0,2}$/.test(size)) {
    throw invalidParameter('page_size', 'must be a whole number from 1 to 100.');
  }
  return {
    ...(size === undefined ? {} : { pageSize: Number(size) }),
    ...(token === undefined || token === '' ? {} : { pageToken: token }),
  };
}

/** @throws MemoryError when `view` is neither `BASIC` nor `FULL`. */
export function viewOf(query: QueryParameters): 'BASIC' | 'FULL' | undefined {
  const view = query.get('view');
  return view === undefined ? undefined : decode(viewSchema, view, 'view');
}
