import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { apiPath } from './api-path.js';
import { checkAuthorization } from './authorization.js';
import { hashedVector } from './embeddings/hashed-vector.js';
import type { Endpoint } from './endpoint.js';
import { createEndpoints } from './endpoints.js';
import { Exchange } from './exchange.js';
import { type HttpReply, isHttpReply, type Reply } from './reply.js';
import { ServiceMemory } from './service-memory.js';
import { type WireErrorBody, WireRefusal } from './wire-refusal.js';
import { RecordedRequest, type WireRequest } from './wire-request.js';

/** Options of {@link startOpenAIWire}. */
export interface OpenAIWireOptions {
  /** The key that requests must carry. Default: none is asked for. */
  readonly apiKey?: string;
  /** The models there are. Default: `gpt-4.1-mini` is listed, and any is taken. */
  readonly models?: readonly string[];
  /** Tokens that the messages of a request may have, estimated. Default: no limit. */
  readonly contextLength?: number;
  /** Parameters of `POST /chat/completions` and `POST /responses` that this server shall not know, as an older or other one would not. */
  readonly without?: readonly string[];
  /** The vector of a text, of as many numbers as were asked for. Default: made of the text's words. */
  readonly embed?: (text: string, dimensions: number) => readonly number[];
  /** Answers when the script is at its end. Default: a refusal that says so. */
  readonly fallback?: Reply;
}

/** A running server. */
export interface OpenAIWireServer extends AsyncDisposable {
  /** Such as `http://127.0.0.1:40123/v1`. */
  readonly baseUrl: string;
  /** The same server as an Azure endpoint, such as `http://127.0.0.1:40123`. */
  readonly azureEndpoint: string;
  /** Every request so far, oldest first, refused ones too. */
  readonly requests: readonly WireRequest[];
  /** Puts these replies in place of the script. Refused requests use none up. */
  script(...replies: readonly Reply[]): void;
  /** Adds replies at the end of the script. */
  enqueue(...replies: readonly Reply[]): void;
  /** Stops, and drops what is still open. */
  close(): Promise<void>;
}

/** Starts a server on a free port of this machine. It speaks the OpenAI wire and refuses what the real one refuses. */
export async function startOpenAIWire(options: OpenAIWireOptions = {}): Promise<OpenAIWireServer> {
  const requests: WireRequest[] = [];
  let script: Reply[] = [];
  const endpoints = createEndpoints({
    models: options.models,
    contextLength: options.contextLength,
    without: options.without ?? [],
    memory: new ServiceMemory(),
    embed: options.embed ?? hashedVector,
    nextReply: () => script.shift() ?? options.fallback,
    nextTrouble: () => {
      const trouble = troubleOf(script[0]);
      if (trouble !== undefined) script.shift();
      return trouble;
    },
  });
  const server = createServer((message, response) => {
    void serve(message, response, endpoints, options.apiKey, requests);
  });
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
    baseUrl: `http://127.0.0.1:${port}/v1`,
    azureEndpoint: `http://127.0.0.1:${port}`,
    requests,
    script: (...replies) => {
      script = [...replies];
    },
    enqueue: (...replies) => {
      script.push(...replies);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function troubleOf(reply: Reply | undefined): HttpReply | 'stall' | 'cut' | undefined {
  if (typeof reply !== 'object') return undefined;
  if (isHttpReply(reply)) return reply;
  const kind = reply.fault?.kind;
  return kind === 'stall' || kind === 'cut' ? kind : undefined;
}

async function serve(
  message: IncomingMessage,
  response: ServerResponse,
  endpoints: readonly Endpoint[],
  apiKey: string | undefined,
  requests: WireRequest[],
): Promise<void> {
  const exchange = new Exchange(response);
  const request = new RecordedRequest(message, exchange);
  requests.push(request);
  response.setHeader('x-request-id', `req_${requests.length}`);
  try {
    const text = await readText(message);
    request.body = text === '' ? undefined : parseJson(text);
    checkAuthorization(message.headers, apiKey);
    await dispatch(endpoints, request, exchange);
  } catch (error) {
    if (exchange.over) return;
    const body = refusalBody(error);
    request.refusal = body;
    exchange.send({ status: error instanceof WireRefusal ? error.status : 400, body });
  }
}

/** A script that throws is told to the client too, in a status that no client retries. */
function refusalBody(error: unknown): WireErrorBody {
  if (error instanceof WireRefusal) return error.body;
  return new WireRefusal(`openai-wire: ${String(error)}`, { type: 'script_error' }).body;
}

async function dispatch(
  endpoints: readonly Endpoint[],
  request: RecordedRequest,
  exchange: Exchange,
): Promise<void> {
  const { path = '' } = apiPath(request.path) ?? {};
  const there = endpoints.filter((endpoint) => endpoint.path.test(path));
  const plainPath = request.path.split('?')[0] ?? '';
  if (there.length === 0) {
    throw new WireRefusal(`Invalid URL (${request.method} ${plainPath})`, { status: 404 });
  }
  const endpoint = there.find(({ method }) => method === request.method);
  if (endpoint === undefined) {
    throw new WireRefusal(
      `Not allowed to ${request.method} on ${plainPath}. (HINT: Perhaps you meant to use a different HTTP method?)`,
      { status: 405 },
    );
  }
  if (endpoint.method === 'POST' && typeof request.body !== 'object') {
    throw new WireRefusal('We could not parse the JSON body of your request.');
  }
  const ids = (endpoint.path.exec(path) ?? []).slice(1).map(decodeURIComponent);
  await endpoint.answer(request, exchange, ids);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
