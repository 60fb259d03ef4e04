import { createStoreSchema, updateStoreSchema } from '@minne/core/memory';
import type { Hono } from 'hono';
import { decode } from './decode.js';
import { updateMask } from './field-mask.js';
import { json } from './json-response.js';
import { paging, required } from './query-parameters.js';
import {
  bodyOf,
  callOptions,
  pathParameter,
  queryOf,
  route,
  type ServerEnvironment,
  type ServerSetup,
} from './server-environment.js';
import { storeToWire } from './wire-mapping.js';

/** Adds the verbs on memory stores. */
export function addStoreRoutes(api: Hono<ServerEnvironment>, setup: ServerSetup): void {
  const { engine } = setup;

  route(api, '/memory-stores', {
    GET: async (context) => {
      const page = paging(queryOf(context));
      const { stores, nextPageToken } = await engine.listStores(
        context.var.principal,
        page,
        callOptions(context),
      );
      return json({
        managed_memory_stores: stores.map(storeToWire),
        next_page_token: nextPageToken,
      });
    },
    POST: async (context) => {
      const id = required(queryOf(context), 'managed_memory_store_id');
      const body = decode(createStoreSchema, await bodyOf(context, setup));
      const store = await engine.createStore(
        context.var.principal,
        {
          id,
          ...(body.description === undefined ? {} : { description: body.description }),
          ...(body.metadata === undefined ? {} : { metadata: body.metadata }),
        },
        callOptions(context),
      );
      return json(storeToWire(store));
    },
  });

  route(api, '/memory-stores/:store', {
    GET: async (context) => {
      const id = pathParameter(context, 'store');
      const store = await engine.getStore(context.var.principal, id, callOptions(context));
      return json(storeToWire(store));
    },
    PATCH: async (context) => {
      const id = pathParameter(context, 'store');
      await engine.authorizeManagement(context.var.principal, id, callOptions(context));
      const mask = updateMask(queryOf(context), ['description', 'metadata']);
      const body = decode(updateStoreSchema, await bodyOf(context, setup));
      const store = await engine.updateStore(
        context.var.principal,
        id,
        {
          ...(mask.has('description') ? { description: body.description } : {}),
          ...(mask.has('metadata') ? { metadata: body.metadata } : {}),
        },
        callOptions(context),
      );
      return json(storeToWire(store));
    },
    DELETE: async (context) => {
      const id = pathParameter(context, 'store');
      await engine.deleteStore(context.var.principal, id, callOptions(context));
      return json({});
    },
  });
}
