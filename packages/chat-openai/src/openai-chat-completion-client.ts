import {
  type ChatClient,
  type ChatMessage,
  type ChatOptions,
  type ChatResponse,
  type ChatResponseUpdate,
  isJsonObject,
} from '@minne/core';
import type { ChatCompletionRequest } from './chat-completion-wire.js';
import { ChunkReader } from './chunk-reader.js';
import { readCompletion } from './completion-reader.js';
import type { OpenAIChatApi } from './openai-api.js';
import type { OpenAIChatCompletionOptions } from './openai-chat-completion-options.js';
import { chatCompletionRequest } from './request-options.js';
import { type ServiceCall, ServiceCaller } from './service-caller.js';
import { reportedError } from './service-error.js';

/**
 * Talks to a model over Chat Completions: OpenAI, or any server that speaks the same API.
 *
 * Keeps nothing of a conversation, neither here nor at the service.
 */
export class OpenAIChatCompletionClient implements ChatClient {
  readonly specificationVersion = 'v1';
  readonly historyStorage = 'none';
  readonly #options: OpenAIChatCompletionOptions;
  readonly #caller: ServiceCaller<OpenAIChatApi>;

  /** @throws ConfigurationError when an option is wrong, or when there is no key for OpenAI. */
  constructor(options: OpenAIChatCompletionOptions) {
    this.#caller = new ServiceCaller('OpenAIChatCompletionClient', 'Chat Completions', options);
    this.#options = options;
  }

  /**
   * Sends the messages and waits for the whole answer.
   * @throws ChatClientError, the reason of `options.signal`, or InvalidInputError before anything is sent.
   */
  async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    options.signal?.throwIfAborted();
    const body = chatCompletionRequest(messages, options, this.#options, false);
    return await this.#caller.whole(callOf(body, options), (completion) => {
      if (isJsonObject(completion) && isJsonObject(completion['error'])) {
        throw reportedError(completion['error']);
      }
      return readCompletion(completion);
    });
  }

  /**
   * The same, in pieces. Leaving the iteration ends the request.
   * @throws ChatClientError also when the stream ends before the service said that it is finished.
   */
  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    options.signal?.throwIfAborted();
    const body = chatCompletionRequest(messages, options, this.#options, true);
    yield* this.#caller.pieces(callOf(body, options), new ChunkReader());
  }
}

function callOf(body: ChatCompletionRequest, { signal }: ChatOptions): ServiceCall<OpenAIChatApi> {
  return {
    modelId: body.model,
    signal,
    send: (api, options) => api.chat.completions.create(body, options),
  };
}
