import {
  type ChatClient,
  ChatClientError,
  type ChatMessage,
  type ChatOptions,
  type ChatResponse,
  type ChatResponseUpdate,
  isJsonObject,
} from '@minne/core';
import { ChunkReader } from './chunk-reader.js';
import { readCompletion } from './completion-reader.js';
import { IdleLimit } from './idle-limit.js';
import type { OpenAIRequestOptions } from './openai-api.js';
import {
  checkOptions,
  type OpenAIChatCompletionOptions,
} from './openai-chat-completion-options.js';
import { createConnection, type OpenAIConnection } from './openai-connection.js';
import { raceAbort } from './race-abort.js';
import { chatCompletionRequest } from './request-options.js';
import { chatClientError, reportedError } from './service-error.js';

/** Milliseconds; the `openai` package's own default for an answer to begin. */
const defaultTimeout = 600_000;

/**
 * Talks to a model over Chat Completions: OpenAI, or any server that speaks the same API.
 *
 * Keeps nothing of a conversation, neither here nor at the service.
 */
export class OpenAIChatCompletionClient implements ChatClient {
  readonly specificationVersion = 'v1';
  readonly historyStorage = 'none';
  readonly #options: OpenAIChatCompletionOptions;
  readonly #connection: OpenAIConnection;

  /** @throws ConfigurationError when an option is wrong, or when there is no key for OpenAI. */
  constructor(options: OpenAIChatCompletionOptions) {
    checkOptions(options);
    this.#options = options;
    this.#connection = createConnection(options);
  }

  /**
   * Sends the messages and waits for the whole answer.
   * @throws ChatClientError, the reason of `options.signal`, or InvalidInputError before anything is sent.
   */
  async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    const { signal } = options;
    signal?.throwIfAborted();
    const body = chatCompletionRequest(messages, options, this.#options, false);
    try {
      const api = await raceAbort(this.#connection.open(), signal);
      const request = api.chat.completions.create(body, this.#requestOptions(signal));
      const completion = await raceAbort(request, signal);
      if (isJsonObject(completion) && isJsonObject(completion['error'])) {
        throw reportedError(completion['error']);
      }
      return readCompletion(completion);
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#failure(error, body.model);
    }
  }

  /**
   * The same, in pieces. Leaving the iteration ends the request.
   * @throws ChatClientError also when the stream ends before the service said that it is finished.
   */
  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    const { signal } = options;
    signal?.throwIfAborted();
    const body = chatCompletionRequest(messages, options, this.#options, true);
    const idle = new IdleLimit(this.#options.timeout ?? defaultTimeout);
    const reader = new ChunkReader();
    try {
      for await (const chunk of this.#chunks(body, signal, idle)) {
        const update = reader.read(chunk);
        if (update !== undefined) yield update;
      }
      const last = reader.finish();
      if (last !== undefined) yield last;
    } catch (error) {
      signal?.throwIfAborted();
      if (idle.signal.aborted) throw stalled(this.#options.timeout ?? defaultTimeout);
      throw this.#failure(error, body.model);
    }
  }

  /** The chunks as they come. The idle limit runs only while one is awaited, not while one is used. */
  async *#chunks(
    body: ReturnType<typeof chatCompletionRequest>,
    signal: AbortSignal | undefined,
    idle: IdleLimit,
  ): AsyncGenerator<unknown, void> {
    const either = AbortSignal.any(signal === undefined ? [idle.signal] : [signal, idle.signal]);
    const api = await raceAbort(this.#connection.open(), signal);
    const stream = await raceAbort(
      api.chat.completions.create(body, this.#requestOptions(either)),
      signal,
    );
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
    return chatClientError(error, { modelId, address, secret });
  }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function stalled(milliseconds: number): ChatClientError {
  return new ChatClientError(
    `The stream stood still for ${milliseconds} ms, so it was given up. Try again, or raise the option timeout.`,
    { packageName: '@minne/chat-openai', field: 'timeout', retryable: true },
  );
}
