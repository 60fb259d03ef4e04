import { timestamp } from '@minne/core';
import {
  checkIdentifier,
  checkPageSize,
  checkPath,
  checkPathPrefix,
  invalidParameter,
  type MemoryCallOptions,
  type MemoryEntry,
  type MemoryFilter,
} from '@minne/core/memory';
import type { StoreScope } from '../engine-context.js';
import { decodePageToken, encodePageToken } from '../page-token.js';
import type { EntryPage, EntryPlace } from '../storage-port.js';
import { toMemoryEntry } from './entry-row.js';
import { pathRange } from './path-range.js';
import { hasContent, type MemoryView } from './view.js';

/** Options of a page of entries. */
export interface ListPageOptions extends MemoryCallOptions {
  /** `BASIC` leaves the content out. Default `FULL`. */
  readonly view?: MemoryView;
  /** How many entries at most, 1 to 100. Default 10. */
  readonly pageSize?: number;
  /** `nextPageToken` of the page before, listed by the same caller with the same filter. */
  readonly pageToken?: string;
}

/** A page of entries. */
export interface EntryListing {
  readonly entries: readonly MemoryEntry[];
  /** Absent on the last page. */
  readonly nextPageToken?: string;
}

/** A page of the entries of an actor, in the order of path, session and id. */
export async function listEntries(
  { context, store, caller }: StoreScope,
  filter: MemoryFilter,
  options: ListPageOptions,
): Promise<EntryListing> {
  const selection = checkFilter(filter);
  const limit = checkPageSize(options.pageSize, 10);
  const withContent = hasContent(options.view);
  const binding = ['entries', caller, store.key, selection];
  const after = await placeOf(options.pageToken, binding);
  const rows = await context.storage.entries.list(
    {
      storeKey: store.key,
      ...selection,
      ...(after === undefined ? {} : { after }),
      limit: limit + 1,
      now: timestamp(context.clock),
      withContent,
    },
    options,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const entries = page.map(toMemoryEntry);
  if (last === undefined) return { entries };
  const place = [last.path, last.sessionId ?? '', last.id];
  return { entries, nextPageToken: await encodePageToken(binding, place) };
}

type Selection = Pick<EntryPage, 'actorId' | 'path' | 'paths' | 'sessionId'>;

function checkFilter(filter: MemoryFilter): Selection {
  const { path, pathPrefix, sessionId } = filter;
  const actorId = checkIdentifier(filter.actorId, 'actor_id');
  if (path !== undefined && pathPrefix !== undefined) {
    throw invalidParameter('path', 'and path_prefix exclude each other. Give one of them.');
  }
  const session = sessionId === undefined ? undefined : checkIdentifier(sessionId, 'session_id');
  // An exact path is looked up in every session, whatever session is named.
  if (path !== undefined) return { actorId, path: checkPath(path) };
  return {
    actorId,
    ...(pathPrefix === undefined ? {} : { paths: pathRange(checkPathPrefix(pathPrefix)) }),
    ...(session === undefined ? {} : { sessionId: session }),
  };
}

async function placeOf(
  token: string | undefined,
  binding: readonly unknown[],
): Promise<EntryPlace | undefined> {
  if (token === undefined) return undefined;
  const [path = '', sessionId = '', id = ''] = await decodePageToken(token, binding, 3);
  return { path, sessionId: sessionId === '' ? null : sessionId, id };
}
