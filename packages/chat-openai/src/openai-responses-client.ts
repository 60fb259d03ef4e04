import type {
  ChatClient,
  ChatMessage,
  ChatOptions,
  ChatResponse,
  ChatResponseUpdate,
} from '@minne/core';
import type { OpenAIResponsesApi } from './openai-api.js';
import { wrongOption } from './openai-connection-options.js';
import type { OpenAIResponsesOptions } from './openai-responses-options.js';
import { ResponseEventReader } from './response-event-reader.js';
import { readResponse } from './response-reader.js';
import { responseRequest } from './response-request.js';
import type { ResponseRequest } from './response-wire.js';
import { type ServiceCall, ServiceCaller } from './service-caller.js';

/**
 * Talks to a model over Responses: OpenAI, Azure, or any server that speaks the same API.
 *
 * The service can keep the conversation: with `store`, an answer names it in `serviceSessionId`, by the id
 * of its newest response (`resp_…`), or by its own where the call named one (`conv_…`); a call that is given
 * that id sends only what is new. A response that the service does not keep is never named.
 */
export class OpenAIResponsesClient implements ChatClient {
  readonly specificationVersion = 'v1';
  readonly historyStorage = 'optional';
  readonly storesByDefault: boolean;
  readonly #options: OpenAIResponsesOptions;
  readonly #caller: ServiceCaller<OpenAIResponsesApi>;

  /** @throws ConfigurationError when an option is wrong, or when there is no key for OpenAI. */
  constructor(options: OpenAIResponsesOptions) {
    const owner = 'OpenAIResponsesClient';
    this.#caller = new ServiceCaller(owner, 'Responses', options);
    for (const name of ['storesByDefault', 'encryptedReasoning'] as const) {
      const value: unknown = options[name];
      if (value === undefined || typeof value === 'boolean') continue;
      throw wrongOption(owner, name, 'must be true or false');
    }
    this.storesByDefault = options.storesByDefault ?? true;
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
    const body = responseRequest(messages, options, this.#options, false);
    return await this.#caller.whole(callOf(body, options), (response) =>
      readResponse(response, body.store),
    );
  }

  /**
   * The same, in pieces. Leaving the iteration ends the request. The first update names the conversation.
   * @throws ChatClientError also when the stream ends before the service said that it is finished.
   */
  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    options.signal?.throwIfAborted();
    const body = responseRequest(messages, options, this.#options, true);
    yield* this.#caller.pieces(callOf(body, options), new ResponseEventReader(body.store));
  }
}

function callOf(body: ResponseRequest, { signal }: ChatOptions): ServiceCall<OpenAIResponsesApi> {
  return {
    modelId: body.model,
    signal,
    send: (api, options) => api.responses.create(body, options),
  };
}
