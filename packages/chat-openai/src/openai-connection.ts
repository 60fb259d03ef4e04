import { ConfigurationError } from '@minne/core';
import { fetchWithErrorBodies } from './fetch-with-error-bodies.js';
import type { OpenAIAccount, OpenAIChatApi, OpenAIResponsesApi } from './openai-api.js';
import {
  type OpenAIClientOptions,
  type OpenAIConnectionOptions,
  wrongOption,
} from './openai-connection-options.js';

/** Sent where a server needs no key, since the `openai` package insists on one. */
const noKey = 'none';

/** An instance that is made here speaks all that the clients of this package need. */
type OwnApi = OpenAIChatApi & OpenAIResponsesApi;

/**
 * How a client comes to its instance of `OpenAI`: the one that was passed in, or one made when it is
 * first needed, because importing the `openai` package takes some hundred milliseconds.
 */
export interface OpenAIConnection<Api> {
  open(): Promise<Api | OwnApi>;
  /** Where the service is, for error messages: without credentials and query. */
  readonly address: string | undefined;
  /** What error messages must not show. */
  readonly secret: string | undefined;
}

/** @throws ConfigurationError when there is no key for OpenAI. */
export function createConnection<Api extends OpenAIAccount>(
  owner: string,
  options: OpenAIClientOptions<Api>,
): OpenAIConnection<Api> {
  const { client } = options;
  if (client !== undefined) {
    return {
      open: () => Promise.resolve(client),
      address: publicAddress(client.baseURL),
      secret: typeof client.apiKey === 'string' ? client.apiKey : undefined,
    };
  }
  const baseUrl = options.baseUrl ?? environment('OPENAI_BASE_URL');
  const apiKey = options.apiKey ?? environment('OPENAI_API_KEY');
  if (apiKey === undefined && baseUrl === undefined) {
    throw wrongOption(
      owner,
      'apiKey',
      'is missing; pass it or set the environment variable OPENAI_API_KEY',
    );
  }
  let opened: Promise<OwnApi> | undefined;
  return {
    open: () => {
      opened ??= open(options, apiKey ?? noKey, baseUrl).catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      return opened;
    },
    address: publicAddress(baseUrl ?? 'https://api.openai.com/v1'),
    secret: apiKey,
  };
}

async function open(
  options: Omit<OpenAIConnectionOptions, 'client'>,
  apiKey: string,
  baseURL: string | undefined,
): Promise<OwnApi> {
  const { OpenAI } = await import('openai').catch((cause: unknown) => {
    throw new ConfigurationError(
      'The package openai could not be loaded. Install it beside @minne/chat-openai: npm install openai',
      { packageName: '@minne/chat-openai', cause },
    );
  });
  const { organization, project, headers } = options;
  return new OpenAI({
    apiKey,
    fetch: fetchWithErrorBodies,
    ...(baseURL === undefined ? {} : { baseURL }),
    ...(organization === undefined ? {} : { organization }),
    ...(project === undefined ? {} : { project }),
    ...(headers === undefined ? {} : { defaultHeaders: headers }),
  });
}

function environment(name: string): string | undefined {
  const value = globalThis.process?.env[name]?.trim();
  return value === '' ? undefined : value;
}

function publicAddress(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed === null ? undefined : `${parsed.origin}${parsed.pathname}`;
}
