import { ConfigurationError } from '@minne/core';
import { invalidParameter, MemoryError } from '@minne/core/memory';
import type { MemoryEngine } from '@minne/memory-engine';
import { Hono } from 'hono';
import { type Authenticate, principalOf } from './authenticate.js';
import {
  type BrowserGuardOptions,
  checkBrowserAccess,
  parseGuardOptions,
} from './browser-guard.js';
import { addEntryRoutes } from './entry-routes.js';
import { errorResponse, isServerFault, toMemoryError } from './error-response.js';
import { refuseLaterRoute } from './later-routes.js';
import { MethodNotAllowedError, type ServerEnvironment } from './server-environment.js';
import { addStoreRoutes } from './store-routes.js';

/** Options of {@link createMemoryServer}. */
export interface MemoryServerOptions extends BrowserGuardOptions {
  /** Says whose token it is. {@link adminToken} makes one for a single administrator. */
  readonly authenticate: Authenticate;
  /** Milliseconds until the whole body of a request must have come. Default 30,000. */
  readonly bodyTimeout?: number;
  /**
   * Told of every failure that is answered with 500, 503 or 504; the caller learns nothing of its inside.
   * Default: writes it to `console.error`.
   */
  readonly onError?: (error: unknown, request: Request) => void;
}

/** The memory API as a function of requests, for anything that speaks the Fetch API. */
export interface MemoryServer {
  /** Answers a request. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
}

/** Where the API lies; the second is an alias. */
const basePaths = ['/api/2.0/agents', '/api/agents/v1'];

/**
 * Serves the stores of an engine by the memory API. Closing the engine stays with its owner.
 * @throws ConfigurationError without `authenticate`, and for hosts or origins that no request can match.
 */
export function createMemoryServer(
  engine: MemoryEngine,
  options: MemoryServerOptions,
): MemoryServer {
  const { authenticate, bodyTimeout = 30_000, onError = logError } = options;
  if (typeof authenticate !== 'function') {
    throw new ConfigurationError(
      'createMemoryServer needs authenticate, so that not everybody may read. Pass adminToken(token) or a function of your own.',
      { packageName: '@minne/memory-server', field: 'authenticate' },
    );
  }
  parseGuardOptions(options);

  const api = new Hono<ServerEnvironment>();
  addStoreRoutes(api, { engine, bodyTimeout });
  addEntryRoutes(api, { engine, bodyTimeout });

  // Routes see the path as it was sent, so that "%2F" in an id is no boundary between parts.
  const app = new Hono<ServerEnvironment>({ getPath: ({ url }) => new URL(url).pathname });
  for (const basePath of basePaths) {
    app.use(`${basePath}/*`, async (context, next) => {
      context.set('principal', await principalOf(context.req.raw, authenticate));
      const path = new URL(context.req.url).pathname;
      checkPathEncoding(path);
      refuseLaterRoute(path.slice(basePath.length));
      await next();
    });
    app.route(basePath, api);
  }
  app.notFound(() => {
    throw new MemoryError('NOT_FOUND', 'There is nothing at this address.');
  });
  app.onError((error) => {
    throw error;
  });

  return {
    fetch: async (request) => {
      try {
        checkBrowserAccess(request, options);
        return await app.fetch(request);
      } catch (error) {
        return refuse(error, request, onError);
      }
    },
  };
}

function refuse(
  error: unknown,
  request: Request,
  onError: NonNullable<MemoryServerOptions['onError']>,
): Response {
  const refusal = toMemoryError(error);
  // When the caller has gone, that is what failed, and nobody reads the answer.
  if (isServerFault(refusal) && !request.signal.aborted) report(error, request, onError);
  return errorResponse(
    refusal,
    refusal instanceof MethodNotAllowedError ? { Allow: refusal.allowed } : {},
  );
}

/** A reporter that fails itself must not cost the caller the answer. */
function report(
  error: unknown,
  request: Request,
  onError: NonNullable<MemoryServerOptions['onError']>,
): void {
  try {
    onError(error, request);
  } catch (reportingError) {
    logError(error, request);
    logError(reportingError, request);
  }
}

function logError(error: unknown, request: Request): void {
  console.error(`@minne/memory-server: ${request.method} ${new URL(request.url).pathname}`, error);
}

/** @throws MemoryError when a part of the path is not percent-encoded UTF-8. */
function checkPathEncoding(path: string): void {
  try {
    decodeURIComponent(path);
  } catch {
    throw invalidParameter('The path of the address', 'must be percent-encoded UTF-8.');
  }
}
