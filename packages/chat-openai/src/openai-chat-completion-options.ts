import { ConfigurationError } from '@minne/core';
import type { OpenAIChatApi } from './openai-api.js';

/** What holds with either kind of connection. */
export interface OpenAIChatCompletionCommonOptions {
  /** The model, such as `gpt-4.1-mini`. A call's own `modelId` goes before it. */
  readonly modelId: string;
  /** How often a request is tried again after 408, 409, 429, 5xx or a lost connection. Default: the instance's, 2. */
  readonly maxRetries?: number;
  /** Milliseconds to wait for an answer to begin, and in a stream for each next piece. Default 600,000. */
  readonly timeout?: number;
  /** Where `maxOutputTokens` goes. `max_tokens` is for servers that do not know the newer name. Default `max_completion_tokens`. */
  readonly maxTokensParameter?: 'max_completion_tokens' | 'max_tokens';
  /** Whether streams ask for usage (`stream_options.include_usage`). False for servers that refuse it. Default true. */
  readonly streamUsage?: boolean;
  /** The role that developer messages are sent in. `system` is for servers that know no developers. Default `developer`. */
  readonly developerRole?: 'developer' | 'system';
  /**
   * Whose `authorName` is sent as `name`, brought into the letters the service takes: `input` sends
   * those of user, system and developer messages, `all` the assistant's too, `none` is for servers
   * that refuse the field. Default `input`.
   */
  readonly names?: 'input' | 'all' | 'none';
  /**
   * The field in which the model's reasoning is sent back with its messages. For servers that insist
   * on it, as DeepSeek does in thinking mode with tools; others refuse it. Default: it is not sent.
   */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
}

/** Over an instance of `OpenAI` that stays its owner's. */
export interface OpenAIChatCompletionClientOptions extends OpenAIChatCompletionCommonOptions {
  readonly client: OpenAIChatApi;
  readonly apiKey?: never;
  readonly baseUrl?: never;
  readonly organization?: never;
  readonly project?: never;
  readonly headers?: never;
}

/** Over an instance that is made at the first call. */
export interface OpenAIChatCompletionConnectionOptions extends OpenAIChatCompletionCommonOptions {
  readonly client?: never;
  /** Default: the environment variable `OPENAI_API_KEY`. A `baseUrl` may go without a key. */
  readonly apiKey?: string;
  /** Where the API is, usually ending in `/v1`. Default: the environment variable `OPENAI_BASE_URL`, else OpenAI. */
  readonly baseUrl?: string;
  /** Default: the environment variable `OPENAI_ORG_ID`. */
  readonly organization?: string;
  /** Default: the environment variable `OPENAI_PROJECT_ID`. */
  readonly project?: string;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of {@link OpenAIChatCompletionClient}. */
export type OpenAIChatCompletionOptions =
  | OpenAIChatCompletionClientOptions
  | OpenAIChatCompletionConnectionOptions;

/** @throws ConfigurationError that names the option and says what it must be. */
export function checkOptions(options: OpenAIChatCompletionOptions): void {
  const { client, modelId, maxRetries, timeout, baseUrl, apiKey } = options;
  if (typeof modelId !== 'string' || modelId === '') {
    throw wrongOption('modelId', 'must name a model, such as "gpt-4.1-mini"');
  }
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw wrongOption('maxRetries', 'must be a whole number from 0');
  }
  if (timeout !== undefined && !(timeout > 0 && timeout <= 2_147_483_647)) {
    throw wrongOption('timeout', 'must be milliseconds, more than 0 and at most 2147483647');
  }
  if (client !== undefined) {
    const extra = (['apiKey', 'baseUrl', 'organization', 'project', 'headers'] as const).find(
      (name) => options[name] !== undefined,
    );
    if (extra !== undefined) {
      throw wrongOption(extra, 'belongs to the client that was passed in; set it there');
    }
    return;
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw wrongOption(
      'apiKey',
      'is empty or holds a space, a line break or a letter that no key has; pass the key alone, or leave the option out to use OPENAI_API_KEY',
    );
  }
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw wrongOption(
      'baseUrl',
      'must be an http or https URL, such as "http://localhost:11434/v1"',
    );
  }
}

/** A {@link ConfigurationError} of this package. */
export function wrongOption(field: string, problem: string): ConfigurationError {
  return new ConfigurationError(`OpenAIChatCompletionClient: option ${field} ${problem}.`, {
    packageName: '@minne/chat-openai',
    field,
  });
}
