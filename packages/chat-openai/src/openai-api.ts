import type { ChatCompletionRequest } from './chat-completion-wire.js';

/** Options of one request, as the `openai` package takes them. */
export interface OpenAIRequestOptions {
  readonly signal?: AbortSignal;
  readonly maxRetries?: number;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** What error messages need to know of an `OpenAI` instance. */
export interface OpenAIAccount {
  /** Named in error messages. */
  readonly baseURL?: string;
  /** Taken out of error messages. */
  readonly apiKey?: string | null;
}

/**
 * What {@link OpenAIChatCompletionClient} needs of an `OpenAI` instance. `OpenAI` and `AzureOpenAI` of the
 * `openai` package, 6 and 7, are such; so is anything else that answers in the same way.
 */
export interface OpenAIChatApi extends OpenAIAccount {
  readonly chat: {
    readonly completions: {
      /** Resolves to the completion, or with `stream: true` to an async iterable of its chunks. */
      create(body: ChatCompletionRequest, options?: OpenAIRequestOptions): PromiseLike<unknown>;
    };
  };
}

/** What {@link OpenAIResponsesClient} needs of an `OpenAI` instance. `OpenAI` and `AzureOpenAI` are such. */
export interface OpenAIResponsesApi extends OpenAIAccount {
  readonly responses: {
    /**
     * Resolves to the response, or with `stream: true` to an async iterable of its events. The body is a
     * {@link ResponseRequest}; `openai` types some parts of it, such as audio, in some versions only.
     */
    create(body: object, options?: OpenAIRequestOptions): PromiseLike<unknown>;
  };
}
