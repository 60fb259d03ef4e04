import type { ChatCompletionRequest } from './chat-completion-wire.js';

/** Options of one request, as the `openai` package takes them. */
export interface OpenAIRequestOptions {
  readonly signal?: AbortSignal;
  readonly maxRetries?: number;
  /** Milliseconds. */
  readonly timeout?: number;
}

/**
 * What this package needs of an `OpenAI` instance. `OpenAI` and `AzureOpenAI` of the `openai` package,
 * 6 and 7, are such; so is anything else that answers in the same way.
 */
export interface OpenAIChatApi {
  readonly chat: {
    readonly completions: {
      /** Resolves to the completion, or with `stream: true` to an async iterable of its chunks. */
      create(body: ChatCompletionRequest, options?: OpenAIRequestOptions): PromiseLike<unknown>;
    };
  };
  /** Named in error messages. */
  readonly baseURL?: string;
  /** Taken out of error messages. */
  readonly apiKey?: string | null;
}
