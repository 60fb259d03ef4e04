import type { Exchange } from './exchange.js';
import { type FixedReply, type HttpReply, isHttpReply, type Reply } from './reply.js';
import type { ServiceMemory } from './service-memory.js';
import type { RecordedRequest } from './wire-request.js';

/** One operation of the API. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path within the API. What its groups catch is handed to `answer`. */
  readonly path: RegExp;
  /** @throws WireRefusal for a request that the service refuses. */
  answer(
    request: RecordedRequest,
    exchange: Exchange,
    ids: readonly string[],
  ): Promise<void> | void;
}

/** What the endpoints share. */
export interface EndpointContext {
  readonly models: readonly string[] | undefined;
  readonly contextLength: number | undefined;
  readonly without: readonly string[];
  readonly memory: ServiceMemory;
  /** Takes the next reply off the script. */
  nextReply(): Reply | undefined;
  /** Takes the next reply off the script if it is plain HTTP or a stalled or cut connection. */
  nextTrouble(): HttpReply | 'stall' | 'cut' | undefined;
  /** The vector of a text. */
  embed(text: string, dimensions: number): readonly number[];
}

type ModelReply = Exclude<FixedReply, { readonly status: number }>;

/**
 * The model's next answer; `undefined` when the script had plain HTTP for this request, which has been
 * sent then.
 */
export async function nextAnswer(
  request: RecordedRequest,
  exchange: Exchange,
  context: EndpointContext,
): Promise<ModelReply | undefined> {
  const next = context.nextReply();
  if (next === undefined) throw new Error('the script is at its end; enqueue a reply');
  const reply = typeof next === 'function' ? await next(request) : next;
  if (!isHttpReply(reply)) return reply;
  exchange.send(reply);
  return undefined;
}
