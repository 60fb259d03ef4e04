import type { WireRequest } from './wire-request.js';

/** What a test wants the model to answer on `POST /chat/completions`. */
export interface ChatCompletionReply {
  readonly text?: string;
  /** Sent as `reasoning_content`, as compatible servers with thinking models do; `reasoningField` renames it. */
  readonly reasoning?: string;
  /** Default `reasoning_content`. */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
  readonly refusal?: string;
  readonly toolCalls?: readonly ToolCallReply[];
  /** Default: `tool_calls` when there are any, else `stop`. Null sends none. */
  readonly finishReason?: string | null;
  /** `usage` as it stands on the wire. Default: estimated. */
  readonly usage?: Readonly<Record<string, unknown>>;
  /** Default: the model that was asked for. */
  readonly model?: string;
  /** The completion's id. Default: `chatcmpl-` and a number. */
  readonly id?: string;
  readonly stream?: StreamShape;
  readonly fault?: Fault;
}

/**
 * What a test wants the model to answer on `POST /responses`. `reasoning` becomes a reasoning item in front
 * (also an empty text), `text` and `refusal` a message, `toolCalls` function calls; the finish reasons
 * `length` and `content_filter` make the response an incomplete one.
 */
export interface ResponseReply extends ChatCompletionReply {
  /** The reasoning's summary in parts. Default: `reasoning` alone. */
  readonly reasoningSummary?: readonly string[];
  /** The response fails with this error, after what else it holds. */
  readonly failure?: { readonly code: string; readonly message: string };
  /** Whether the response is kept when the request asks for it; not so under zero data retention. Default true. */
  readonly kept?: boolean;
}

/** A tool call in a reply. */
export interface ToolCallReply {
  readonly name: string;
  /** A string is sent as it is, so it can be cut anywhere. Anything else becomes JSON. */
  readonly arguments: unknown;
  /** Default: `call_` and a number. Null sends none, as some compatible servers do. */
  readonly id?: string | null;
}

/** How a streamed reply is cut to pieces. */
export interface StreamShape {
  /** Characters of text, refusal, reasoning and arguments in one chunk. Default 4. */
  readonly pieceLength?: number;
  /** Bytes in one write to the network, so that characters and events are cut anywhere. Default: whole events. */
  readonly bytesPerWrite?: number;
  /** Whether the pieces of parallel tool calls take turns. Default false: one call after the other. */
  readonly interleaveToolCalls?: boolean;
  /** What `index` says: each call's own, always 0, or nothing, as some compatible servers do. Default `each`. */
  readonly toolCallIndexes?: 'each' | 'zero' | 'none';
  /** Whether every piece of a tool call repeats its id and name. Default false. */
  readonly repeatToolCallHeads?: boolean;
  /** Where usage stands, when asked for: after all in a chunk without choices, or in every chunk. Default `last`. */
  readonly usage?: 'last' | 'every';
}

/** What goes wrong while the answer is being sent. Without a stream, `afterChunks` does not count. */
export interface Fault {
  /**
   * `stall`: nothing more comes, the connection stays. `cut`: the connection is dropped. `end`: the
   * answer ends in good order, without its last chunks. `malformed`: a chunk is not JSON. `error`: an
   * error comes in place of a chunk.
   */
  readonly kind: 'stall' | 'cut' | 'end' | 'malformed' | 'error';
  /** Chunks, or events of a response, that are sent before. Default 2: the first is the one with the role. */
  readonly afterChunks?: number;
}

/** An answer that is just HTTP: errors, HTML pages, anything. */
export interface HttpReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. Default: empty. */
  readonly body?: unknown;
}

/** An answer, or what makes one of the request. */
export type Reply = FixedReply | ((request: WireRequest) => FixedReply | Promise<FixedReply>);

/** An answer that is known before the request. */
export type FixedReply = ChatCompletionReply | ResponseReply | HttpReply;

/** Whether a reply is just HTTP. */
export function isHttpReply(reply: FixedReply): reply is HttpReply {
  return 'status' in reply;
}

/** Too many requests. `retryAfter` is in seconds (`Retry-After`, RFC 9110 §10.2.3). */
export function rateLimited(options: { readonly retryAfter?: number } = {}): HttpReply {
  return {
    status: 429,
    headers: options.retryAfter === undefined ? {} : { 'retry-after': String(options.retryAfter) },
    body: {
      error: {
        message: 'Rate limit reached for requests per minute.',
        type: 'requests',
        param: null,
        code: 'rate_limit_exceeded',
      },
    },
  };
}

/** The account is empty: 429 as well, yet no retry helps (https://github.com/langchain-ai/langchainjs/issues/1929). */
export function quotaExceeded(): HttpReply {
  return {
    status: 429,
    body: {
      error: {
        message: 'You exceeded your current quota, please check your plan and billing details.',
        type: 'insufficient_quota',
        param: null,
        code: 'insufficient_quota',
      },
    },
  };
}

/** The service itself failed. */
export function serverError(status = 500): HttpReply {
  return {
    status,
    body: {
      error: {
        message: 'The server had an error while processing your request.',
        type: 'server_error',
        param: null,
        code: null,
      },
    },
  };
}

/** A page for people, as a proxy in between sends it. */
export function htmlPage(status: number): HttpReply {
  return {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: `<!DOCTYPE html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>nginx</p></body></html>`,
  };
}
