import {
  checkPageSize,
  invalidParameter,
  MemoryError,
  searchEntriesSchema,
} from '@minne/core/memory';
import { decode } from './decode.js';
import { readMask, viewFor } from './field-mask.js';
import { json } from './json-response.js';
import {
  authorizedStore,
  bodyOf,
  callOptions,
  type ServerContext,
  type ServerSetup,
} from './server-environment.js';
import { entryToWire } from './wire-mapping.js';

/** Results of a search that does not say how many. */
const defaultPageSize = 10;

/** Answers `entries:search`. */
export async function searchEntries(context: ServerContext, setup: ServerSetup): Promise<Response> {
  const store = await authorizedStore(context, setup, 'READ');
  const raw = await bodyOf(context, setup);
  const body = decode(searchEntriesSchema, raw);
  // Leaving these out would answer another question than the one that was asked.
  for (const member of ['filter', 'page_token']) {
    if (raw[member] !== undefined && raw[member] !== '') throw notImplemented(member);
  }
  if (body.mode === 'SEMANTIC') throw notImplemented('mode SEMANTIC');
  if (body.limit !== undefined && body.page_size !== undefined && body.limit !== body.page_size) {
    throw invalidParameter('limit', 'must be the same as page_size; leave it out.');
  }
  const [size, sizeField] =
    body.page_size === undefined ? [body.limit, 'limit'] : [body.page_size, 'page_size'];
  const mask = readMask(body.read_mask);
  const hits = await store.search(
    {
      actorId: body.actor_id,
      query: body.query,
      limit: checkPageSize(size, defaultPageSize, sizeField),
      ...(body.session_id === undefined ? {} : { sessionId: body.session_id }),
      ...(body.path_prefix === undefined ? {} : { pathPrefix: body.path_prefix }),
    },
    { ...viewFor(mask, body.view), ...callOptions(context) },
  );
  const found = hits.map(({ memory, score }) => ({
    managed_memory_entry: entryToWire(store.id, memory, mask),
    score,
  }));
  return json({
    results: found,
    managed_memory_entries: found.map((result) => result.managed_memory_entry),
  });
}

function notImplemented(what: string): MemoryError {
  return new MemoryError(
    'NOT_IMPLEMENTED',
    `This version of the server searches without ${what}. Leave it out.`,
  );
}
