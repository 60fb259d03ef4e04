import { request } from 'node:http';
import type { JsonObject } from '@minne/core';
import { MemoryEngine, type Principal } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { onTestFinished } from 'vitest';
import { createMemoryServer, type MemoryServerOptions } from '../src/index.js';
import { listen } from '../src/node.js';

export const basePath = '/api/2.0/agents';

/** The callers of the tests, by token. */
const principals: ReadonlyMap<string, Principal> = new Map([
  ['admin-token', { name: 'admin', isAdmin: true }],
  ['alma-token', { name: 'alma', isAdmin: false }],
  ['boris-token', { name: 'boris', isAdmin: false }],
]);

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: JsonObject;
}

interface CallOptions {
  /** Default `alma-token`; null sends none. */
  readonly token?: string | null;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestServer {
  readonly url: string;
  /** Failures that the server reported. */
  readonly failures: readonly unknown[];
  /** Calls the API by a path relative to its base. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

/** Starts a server over an empty engine on a free port; it ends with the test. */
export async function startServer(
  options: Partial<MemoryServerOptions> & { readonly engine?: MemoryEngine } = {},
): Promise<TestServer> {
  const storage = new SqliteMemoryStorage({ path: ':memory:' });
  const failures: unknown[] = [];
  const server = createMemoryServer(options.engine ?? new MemoryEngine({ storage }), {
    authenticate: (token) => principals.get(token),
    onError: (error) => failures.push(error),
    ...options,
  });
  const { url, close } = await listen(server);
  onTestFinished(async () => {
    await close();
    await storage.close();
  });
  return { url, failures, call: (method, path, call) => send(url, method, path, call) };
}

/** The same with a store `notes` of alma's. */
export async function startServerWithStore(
  options: Partial<MemoryServerOptions> = {},
): Promise<TestServer> {
  const server = await startServer(options);
  await server.call('POST', '/memory-stores?managed_memory_store_id=notes');
  return server;
}

async function send(
  url: string,
  method: string,
  path: string,
  { token = 'alma-token', body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(`${url}${basePath}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(5_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** A request that `fetch` would not send: with headers of one's own, and bytes for a body. */
export function sendRaw(
  url: string,
  options: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string | Uint8Array;
  },
): Promise<{ readonly status: number; readonly text: string }> {
  const answer = Promise.withResolvers<{ status: number; text: string }>();
  const { hostname, port } = new URL(url);
  const { method = 'GET', path, headers = {}, body } = options;
  const sent = request({
    hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    method,
    path,
    headers: { Authorization: 'Bearer alma-token', ...headers },
  });
  sent.once('error', answer.reject);
  sent.once('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
    });
    response.once('end', () => answer.resolve({ status: response.statusCode ?? 0, text }));
    response.once('error', answer.reject);
  });
  sent.end(body);
  return answer.promise;
}
