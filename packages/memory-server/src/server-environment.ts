import { MemoryError } from '@minne/core/memory';
import type { EngineStore, MemoryEngine, Principal, StorePermission } from '@minne/memory-engine';
import type { Context, Handler, Hono } from 'hono';
import { readJsonBody } from './json-body.js';
import { parseQuery, type QueryParameters } from './query-parameters.js';

/** What every route of the server works with. */
export interface ServerSetup {
  readonly engine: MemoryEngine;
  /** Milliseconds until the whole body of a request must have come. */
  readonly bodyTimeout: number;
}

/** What is known of a request by the time a route handles it. */
export interface ServerEnvironment {
  Variables: { principal: Principal };
}

/** A request on its way through a route. */
export type ServerContext = Context<ServerEnvironment>;

/** The handlers of one path, by method. */
type Handlers = Partial<Record<'GET' | 'POST' | 'PATCH' | 'DELETE', Handler<ServerEnvironment>>>;

/** Adds a path to the server. Its other methods are refused with 405. */
export function route(api: Hono<ServerEnvironment>, path: string, handlers: Handlers): void {
  for (const [method, handler] of Object.entries(handlers)) api.on(method, path, handler);
  const allowed = Object.keys(handlers).join(', ');
  api.all(path, (context) => {
    throw new MethodNotAllowedError(context.req.method, allowed);
  });
}

/** A path exists and the method does not. */
export class MethodNotAllowedError extends MemoryError {
  /** The methods that the path has, as the header `Allow` lists them. */
  readonly allowed: string;

  constructor(method: string, allowed: string) {
    super('INVALID_PARAMETER_VALUE', `This address takes ${allowed}, not ${method}.`, {
      status: 405,
    });
    this.allowed = allowed;
  }
}

/**
 * The store that the path names, once the caller may do there what is asked.
 * @throws MemoryError `NOT_FOUND`, `PERMISSION_DENIED`
 */
export async function authorizedStore(
  context: ServerContext,
  { engine }: ServerSetup,
  permission: StorePermission,
): Promise<EngineStore> {
  const store = engine.store(context.var.principal, pathParameter(context, 'store'));
  await store.authorize(permission, callOptions(context));
  return store;
}

/** A part of the path, decoded. The server has refused paths that cannot be. */
export function pathParameter(context: ServerContext, name: string): string {
  return context.req.param(name) ?? '';
}

/** @throws MemoryError when the query is malformed. */
export function queryOf(context: ServerContext): QueryParameters {
  return parseQuery(context.req.url);
}

/** @throws MemoryError when the body is not a JSON object within the limits. */
export function bodyOf(context: ServerContext, setup: ServerSetup) {
  return readJsonBody(context.req.raw, { timeout: setup.bodyTimeout });
}

/** Options of the engine's calls for a request: they end when the caller goes away. */
export function callOptions(context: ServerContext): { readonly signal: AbortSignal } {
  return { signal: context.req.raw.signal };
}
