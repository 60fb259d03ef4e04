import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { answer } from './endpoints.js';
import { MemorySpace, type StoredMemory } from './memory-space.js';
import { WireRefusal } from './wire-refusal.js';

/** Options of {@link startMem0Wire}. */
export interface Mem0WireOptions {
  /** The key that requests must carry, as `Authorization: Token …`. */
  readonly apiKey: string;
}

/** A request that came in. */
export interface Mem0WireRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** Why it was refused, if it was. */
  readonly refusal?: string;
}

/** Sent in place of what the service would answer: a status and a body, or nothing at all. */
export type Mem0WireFault = { readonly status: number; readonly body: unknown } | 'stall';

/** A running server. */
export interface Mem0WireServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123`. */
  readonly host: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly Mem0WireRequest[];
  /** Everything that is kept. */
  readonly memories: readonly StoredMemory[];
  /** From now on, calls whose path holds `path`, such as `search`, are answered so; `undefined` ends it. */
  fail(path: string, fault: Mem0WireFault | undefined): void;
  /** Stops, and drops what is still open. */
  close(): Promise<void>;
}

/** Starts a server on a free port of this machine, which holds nothing yet. */
export async function startMem0Wire({ apiKey }: Mem0WireOptions): Promise<Mem0WireServer> {
  const space = new MemorySpace();
  const requests: Mem0WireRequest[] = [];
  const faults = new Map<string, Mem0WireFault>();

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/' } = message;
    const text = await readText(message);
    let body: unknown;
    const refuse = (error: WireRefusal): void => {
      requests.push({ method, path, body, refusal: error.message });
      send(response, error.status, error.body);
    };
    try {
      body = readBody(text);
      // https://docs.mem0.ai/api-reference/memory/add-memories, "Required headers".
      if (message.headers.authorization !== `Token ${apiKey}`) {
        return refuse(new WireRefusal('Given token not valid for any token type', 401));
      }
      const [, fault] = [...faults].find(([part]) => path.includes(part)) ?? [];
      const given = fault ?? {
        status: 200,
        body: answer({ method, url: new URL(path, 'http://127.0.0.1'), body }, space),
      };
      requests.push({ method, path, body });
      if (given !== 'stall') send(response, given.status, given.body);
    } catch (error) {
      refuse(error instanceof WireRefusal ? error : new WireRefusal(String(error), 500));
    }
  };

  const server = createServer((message, response) => void serve(message, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  return {
    host: `http://127.0.0.1:${port}`,
    requests,
    get memories() {
      return space.memories;
    },
    fail: (path, fault) => {
      if (fault === undefined) faults.delete(path);
      else faults.set(path, fault);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function readBody(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new WireRefusal('JSON parse error');
  }
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
