import { ChatClientError } from '@minne/core';
import { IdleLimit } from './idle-limit.js';
import type { OpenAIAccount, OpenAIRequestOptions } from './openai-api.js';
import { createConnection, type OpenAIConnection } from './openai-connection.js';
import { checkOptions, type OpenAIClientOptions } from './openai-connection-options.js';
import { raceAbort } from './race-abort.js';
import { chatClientError } from './service-error.js';

/** Milliseconds; the `openai` package's own default for an answer to begin. */
const defaultTimeout = 600_000;

/** One request, as a client makes it. */
export interface ServiceCall<Api> {
  readonly modelId: string;
  readonly signal: AbortSignal | undefined;
  /** Hands the request to the instance. Not called when the signal has aborted. */
  send(api: Api, options: OpenAIRequestOptions): PromiseLike<unknown>;
}

/** Makes the requests of a client: connection, retries, time limits, aborting, errors. */
export class ServiceCaller<Api extends OpenAIAccount> {
  readonly #api: 'Chat Completions' | 'Responses';
  readonly #options: OpenAIClientOptions<Api>;
  readonly #connection: OpenAIConnection<Api>;

  /** @throws ConfigurationError when an option is wrong, or when there is no key for OpenAI. */
  constructor(
    owner: string,
    api: 'Chat Completions' | 'Responses',
    options: OpenAIClientOptions<Api>,
  ) {
    checkOptions(owner, options);
    this.#api = api;
    this.#options = options;
    this.#connection = createConnection(owner, options);
  }

  /**
   * Waits for the whole answer and reads it.
   * @throws ChatClientError, or the reason of the signal.
   */
  async whole<T>(call: ServiceCall<Api | OpenedApi>, read: (answer: unknown) => T): Promise<T> {
    const { signal } = call;
    const idle = new IdleLimit(this.#timeout);
    const either = eitherOf(signal, idle);
    try {
      const api = await raceAbort(this.#connection.open(), signal);
      const sent = call.send(api, this.#requestOptions(either));
      if (tellsBeginning(sent)) {
        // The `openai` package, before 7, limits only how long an answer takes to begin.
        await raceAbort(sent.asResponse(), signal);
        idle.start();
      }
      return read(await raceAbort(sent, either));
    } catch (error) {
      signal?.throwIfAborted();
      if (idle.signal.aborted) throw stalled('answer', this.#timeout);
      throw this.#failure(error, call.modelId);
    } finally {
      idle.stop();
    }
  }

  /**
   * The pieces of a streamed answer, as `read` makes them of each chunk and of the end.
   * @throws ChatClientError, or the reason of the signal.
   */
  async *pieces<T>(
    call: ServiceCall<Api | OpenedApi>,
    reader: { read(chunk: unknown): T | undefined; finish(): T | undefined },
  ): AsyncGenerator<T, void> {
    const { signal, modelId } = call;
    const idle = new IdleLimit(this.#timeout);
    try {
      for await (const chunk of this.#chunks(call, idle)) {
        const piece = reader.read(chunk);
        if (piece !== undefined) yield piece;
      }
      const last = reader.finish();
      if (last !== undefined) yield last;
    } catch (error) {
      signal?.throwIfAborted();
      if (idle.signal.aborted) throw stalled('stream', this.#timeout);
      throw this.#failure(error, modelId);
    }
  }

  /** The chunks as they come. The idle limit runs only while one is awaited, not while one is used. */
  async *#chunks(
    { signal, send }: ServiceCall<Api | OpenedApi>,
    idle: IdleLimit,
  ): AsyncGenerator<unknown, void> {
    const either = eitherOf(signal, idle);
    const api = await raceAbort(this.#connection.open(), signal);
    const stream = await raceAbort(send(api, this.#requestOptions(either)), signal);
    if (!isAsyncIterable(stream)) {
      throw new ChatClientError('The client that was passed in answered without a stream.', {
        packageName: '@minne/chat-openai',
        field: 'client',
      });
    }
    idle.start();
    try {
      for await (const chunk of stream) {
        idle.stop();
        yield chunk;
        idle.start();
      }
      // The `openai` package ends an aborted stream as if it were finished.
      either.throwIfAborted();
    } finally {
      idle.stop();
    }
  }

  get #timeout(): number {
    return this.#options.timeout ?? defaultTimeout;
  }

  #requestOptions(signal: AbortSignal | undefined): OpenAIRequestOptions {
    const { maxRetries, timeout } = this.#options;
    return {
      ...(signal === undefined ? {} : { signal }),
      ...(maxRetries === undefined ? {} : { maxRetries }),
      ...(timeout === undefined ? {} : { timeout }),
    };
  }

  #failure(error: unknown, modelId: string): unknown {
    const { address, secret } = this.#connection;
    return chatClientError(error, { api: this.#api, modelId, address, secret });
  }
}

/** What the connection opens where no instance was passed in. */
export type OpenedApi = Awaited<ReturnType<OpenAIConnection<never>['open']>>;

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function eitherOf(signal: AbortSignal | undefined, idle: IdleLimit): AbortSignal {
  return AbortSignal.any(signal === undefined ? [idle.signal] : [signal, idle.signal]);
}

/** Whether one can wait for the beginning of an answer, as with the `openai` package. */
function tellsBeginning(
  sent: PromiseLike<unknown>,
): sent is PromiseLike<unknown> & { asResponse(): PromiseLike<unknown> } {
  return 'asResponse' in sent && typeof sent.asResponse === 'function';
}

function stalled(what: 'answer' | 'stream', milliseconds: number): ChatClientError {
  return new ChatClientError(
    `The ${what} stood still for ${milliseconds} ms, so it was given up. Try again, or raise the option timeout.`,
    { packageName: '@minne/chat-openai', field: 'timeout', retryable: true },
  );
}
