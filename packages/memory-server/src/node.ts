import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener, RequestError } from '@hono/node-server';
import { ConfigurationError } from '@minne/core';
import { MemoryError } from '@minne/core/memory';
import { errorResponse } from './error-response.js';
import { refuseMalformed } from './refuse-malformed.js';

/** Options of {@link listen}. */
export interface ListenOptions {
  /** The address to listen at. Default `127.0.0.1`: this machine only. */
  readonly host?: string;
  /** Default 0: any free one. */
  readonly port?: number;
  /** Closes the server when it aborts. */
  readonly signal?: AbortSignal;
  /** Milliseconds that requests under way may still take once the server closes. Default 2,000. */
  readonly gracePeriod?: number;
  /**
   * Milliseconds after which a connection on which nothing moves is ended, so that whoever reads no answer
   * does not make the server keep it. Longer than any answer takes; 0 for never. Default 120,000.
   */
  readonly idleTimeout?: number;
  /** Told of failures outside the handler's answers. Default: writes them to `console.error`. */
  readonly onError?: (error: unknown) => void;
}

/** A server that listens. */
export interface Listening {
  /** Where it can be reached, such as `http://127.0.0.1:8080`, without a slash at its end. */
  readonly url: string;
  /**
   * Accepts nothing more, waits for requests under way and ends every connection. Calling it again waits
   * for the same end.
   */
  close(): Promise<void>;
}

/**
 * Serves a handler, such as a memory server, over HTTP on Node.
 * @throws ConfigurationError when the address cannot be listened at, or the reason of `signal`.
 */
export async function listen(
  handler: { readonly fetch: (request: Request) => Response | Promise<Response> },
  options: ListenOptions = {},
): Promise<Listening> {
  const { host = '127.0.0.1', port = 0, signal, gracePeriod = 2000, onError = logError } = options;
  const { idleTimeout = 120_000 } = options;
  signal?.throwIfAborted();

  const respond = getRequestListener((request) => handler.fetch(request), {
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      if (error instanceof RequestError) return badRequest();
      onError(error);
      return errorResponse(new MemoryError('INTERNAL_ERROR', 'The server failed to answer.'));
    },
  });
  /** How many answers each connection owes; several, when requests were sent without waiting. */
  const owed = new WeakMap<Duplex, number>();
  const answer: RequestListener = (incoming, outgoing) => {
    const { socket } = incoming;
    owed.set(socket, (owed.get(socket) ?? 0) + 1);
    outgoing.once('close', () => {
      owed.set(socket, (owed.get(socket) ?? 1) - 1);
      // A connection that falls idle while the server closes would keep it open.
      if (!server.listening) server.closeIdleConnections();
    });
    respond(incoming, outgoing).catch(onError);
  };
  // A request without a host is refused like others, and not by Node in a shape of its own.
  const server = createServer({ requireHostHeader: false }, answer);
  server.timeout = idleTimeout;
  server.on('checkExpectation', answer);
  server.on('clientError', (error, socket) => {
    // In the midst of an answer another one would be taken for a part of it.
    if ((owed.get(socket) ?? 0) > 0) socket.destroy();
    else refuseMalformed(error, socket).catch(onError);
  });
  await start(server, host, port);
  server.on('error', onError);

  let closing: Promise<void> | undefined;
  const close = () => {
    signal?.removeEventListener('abort', close);
    closing ??= stop(server, gracePeriod);
    return closing;
  };
  signal?.addEventListener('abort', close, { once: true });
  if (signal?.aborted) {
    await close();
    signal.throwIfAborted();
  }
  return { url: urlOf(server), close };
}

async function start(server: Server, host: string, port: number): Promise<void> {
  const started = Promise.withResolvers<void>();
  server.once('error', started.reject);
  server.once('listening', started.resolve);
  try {
    server.listen({ host, port });
    await started.promise;
  } catch (cause) {
    throw listenError(cause, host, port);
  } finally {
    server.off('error', started.reject);
  }
}

/** What to do about the ways in which listening fails, by Node's error code. */
const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'Another program listens there. Stop it, or choose another port; 0 takes any free one.',
  EACCES: 'This user may not listen there. Choose a port above 1023.',
  EADDRNOTAVAIL: 'This machine has no such address. Use 127.0.0.1, or one of its own.',
  ENOTFOUND: 'The name of the host leads to no address. Use 127.0.0.1, or one of this machine.',
  ERR_SOCKET_BAD_PORT: 'A port is a whole number from 0 to 65535.',
};

function listenError(cause: unknown, host: string, port: number): ConfigurationError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
  const remedy = remedies[code] ?? 'See the cause of this error.';
  return new ConfigurationError(`Cannot listen at ${host}, port ${port} (${code}). ${remedy}`, {
    packageName: '@minne/memory-server',
    field: code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' ? 'host' : 'port',
    cause,
  });
}

function stop(server: Server, gracePeriod: number): Promise<void> {
  const stopped = Promise.withResolvers<void>();
  const timer = setTimeout(() => server.closeAllConnections(), gracePeriod);
  server.close(() => {
    clearTimeout(timer);
    stopped.resolve();
  });
  return stopped.promise;
}

function urlOf(server: Server): string {
  const address = server.address();
  // Only a server on a pipe has no such address, and this one listens on a port.
  const { address: host, port, family } = address as AddressInfo;
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return family === 'IPv6' ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

function badRequest(): Response {
  return errorResponse(
    new MemoryError('INVALID_PARAMETER_VALUE', 'The request line or Host header is malformed.'),
  );
}

function logError(error: unknown): void {
  console.error('@minne/memory-server:', error);
}
