import { ConfigurationError } from '@minne/core';

/** What holds for every client of this package, with either kind of connection. */
export interface OpenAICommonOptions {
  /** The model, such as `gpt-4.1-mini`. A call's own `modelId` goes before it. */
  readonly modelId: string;
  /** How often a request is tried again after 408, 409, 429, 5xx or a lost connection. Default: the instance's, 2. */
  readonly maxRetries?: number;
  /** Milliseconds to wait for an answer to begin, then for all of it, in a stream for each next piece. Default 600,000. */
  readonly timeout?: number;
}

/** Over an instance of `OpenAI` that stays its owner's. */
export interface OpenAIInstanceOptions<Api> {
  readonly client: Api;
  readonly apiKey?: never;
  readonly baseUrl?: never;
  readonly organization?: never;
  readonly project?: never;
  readonly headers?: never;
}

/** Over an instance that is made at the first call. */
export interface OpenAIConnectionOptions {
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

/** The options that every client of this package has. */
export type OpenAIClientOptions<Api> = OpenAICommonOptions &
  (OpenAIInstanceOptions<Api> | OpenAIConnectionOptions);

/**
 * Checks the options that every client has.
 * @param owner - The class, named in errors.
 * @throws ConfigurationError that names the option and says what it must be.
 */
export function checkOptions(owner: string, options: OpenAIClientOptions<unknown>): void {
  const { client, modelId, maxRetries, timeout, baseUrl, apiKey } = options;
  if (typeof modelId !== 'string' || modelId === '') {
    throw wrongOption(owner, 'modelId', 'must name a model, such as "gpt-4.1-mini"');
  }
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0)) {
    throw wrongOption(owner, 'maxRetries', 'must be a whole number from 0');
  }
  if (timeout !== undefined && !(timeout > 0 && timeout <= 2_147_483_647)) {
    throw wrongOption(owner, 'timeout', 'must be milliseconds, more than 0 and at most 2147483647');
  }
  // What the openai package calls it. Passed over, the key and the conversation would go to OpenAI.
  if ('baseURL' in options) throw wrongOption(owner, 'baseURL', 'is called baseUrl here');
  if (client !== undefined) {
    const extra = (['apiKey', 'baseUrl', 'organization', 'project', 'headers'] as const).find(
      (name) => options[name] !== undefined,
    );
    if (extra !== undefined) {
      throw wrongOption(owner, extra, 'belongs to the client that was passed in; set it there');
    }
    return;
  }
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw wrongOption(
      owner,
      'apiKey',
      'is empty or holds a space, a line break or a letter that no key has; pass the key alone, or leave the option out to use OPENAI_API_KEY',
    );
  }
  if (baseUrl !== undefined && !/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? '')) {
    throw wrongOption(
      owner,
      'baseUrl',
      'must be an http or https URL, such as "http://localhost:11434/v1"',
    );
  }
}

/** A {@link ConfigurationError} of this package. */
export function wrongOption(owner: string, field: string, problem: string): ConfigurationError {
  return new ConfigurationError(`${owner}: option ${field} ${problem}.`, {
    packageName: '@minne/chat-openai',
    field,
  });
}
