import {
  createEntrySchema,
  type MemoryFilter,
  preconditionSchema,
  putEntrySchema,
  updateEntrySchema,
} from '@minne/core/memory';
import type { Hono } from 'hono';
import { decode } from './decode.js';
import { readMask, updateMask, viewFor } from './field-mask.js';
import { json } from './json-response.js';
import { paging, type QueryParameters, required, viewOf } from './query-parameters.js';
import { searchEntries } from './search-route.js';
import {
  authorizedStore,
  bodyOf,
  callOptions,
  pathParameter,
  queryOf,
  route,
  type ServerEnvironment,
  type ServerSetup,
} from './server-environment.js';
import { entryFromWire, entryToWire, preconditionFromWire } from './wire-mapping.js';

const entries = '/memory-stores/:store/entries';

/** Adds the verbs on the entries of a store. Each asks for access before it looks at what it was sent. */
export function addEntryRoutes(api: Hono<ServerEnvironment>, setup: ServerSetup): void {
  route(api, `${entries}:search`, { POST: (context) => searchEntries(context, setup) });

  route(api, `${entries}:put`, {
    POST: async (context) => {
      const store = await authorizedStore(context, setup, 'WRITE');
      const body = decode(putEntrySchema, await bodyOf(context, setup));
      const entry = await store.put(entryFromWire(body), {
        append: body.mode === 'APPEND',
        ...preconditionFromWire(body.precondition),
        ...callOptions(context),
      });
      return json(entryToWire(store.id, entry));
    },
  });

  route(api, entries, {
    GET: async (context) => {
      const store = await authorizedStore(context, setup, 'READ');
      const query = queryOf(context);
      const mask = readMask(query.get('read_mask'));
      const { entries: page, nextPageToken } = await store.listPage(entryFilter(query), {
        ...viewFor(mask, viewOf(query)),
        ...paging(query),
        ...callOptions(context),
      });
      return json({
        managed_memory_entries: page.map((entry) => entryToWire(store.id, entry, mask)),
        next_page_token: nextPageToken,
      });
    },
    POST: async (context) => {
      const store = await authorizedStore(context, setup, 'WRITE');
      const id = queryOf(context).get('managed_memory_entry_id');
      const body = decode(createEntrySchema, await bodyOf(context, setup));
      const entry = await store.add(entryFromWire(body), {
        ...(id === undefined ? {} : { id }),
        ...callOptions(context),
      });
      return json(entryToWire(store.id, entry));
    },
  });

  route(api, `${entries}/:entry`, {
    GET: async (context) => {
      const store = await authorizedStore(context, setup, 'READ');
      const query = queryOf(context);
      const mask = readMask(query.get('read_mask'));
      const entry = await store.get(pathParameter(context, 'entry'), {
        ...viewFor(mask, viewOf(query)),
        ...callOptions(context),
      });
      return json(entryToWire(store.id, entry, mask));
    },
    PATCH: async (context) => {
      const store = await authorizedStore(context, setup, 'WRITE');
      const mask = updateMask(queryOf(context), ['content', 'description']);
      const body = decode(updateEntrySchema, await bodyOf(context, setup));
      const entry = await store.update(
        pathParameter(context, 'entry'),
        {
          ...(mask.has('content') ? { content: body.content } : {}),
          ...(mask.has('description') ? { description: body.description } : {}),
        },
        { ...preconditionFromWire(body.precondition), ...callOptions(context) },
      );
      return json(entryToWire(store.id, entry));
    },
    DELETE: async (context) => {
      const store = await authorizedStore(context, setup, 'WRITE');
      const { precondition } = await bodyOf(context, setup);
      const decoded = decode(preconditionSchema.optional(), precondition, 'precondition');
      await store.delete(pathParameter(context, 'entry'), {
        ...preconditionFromWire(decoded),
        ...callOptions(context),
      });
      return json({});
    },
  });
}

/** Which entries a listing asks for. A path names the entry in every session, whatever `session_id` says. */
function entryFilter(query: QueryParameters): MemoryFilter {
  const path = query.get('path');
  const pathPrefix = query.get('path_prefix');
  const sessionId = query.get('session_id');
  return {
    actorId: required(query, 'actor_id'),
    ...(path === undefined ? {} : { path }),
    ...(pathPrefix === undefined ? {} : { pathPrefix }),
    ...(sessionId === undefined || path !== undefined ? {} : { sessionId }),
  };
}
