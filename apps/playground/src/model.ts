import { OpenAIChatCompletionClient } from '@minne/chat-openai';
import { type ChatClient, ConfigurationError } from '@minne/core';
import { DemonstrationChatClient } from './demonstration-model/demonstration-chat-client.js';
import type { ModelSettings } from './settings.js';

/** The client of the model that the settings ask for. */
export function createChatClient(settings: ModelSettings): ChatClient {
  if (settings.kind === 'demonstration') return new DemonstrationChatClient();
  const { apiKey, baseUrl, modelId } = settings;
  return new OpenAIChatCompletionClient({ apiKey, baseUrl, modelId });
}

/** How the page names the model. */
export function modelName(settings: ModelSettings): string {
  return settings.kind === 'demonstration'
    ? 'Built-in demonstration model'
    : `${settings.modelId} at ${new URL(settings.baseUrl).host}`;
}

const checkTimeout = 10_000;

/**
 * Asks the model's server for its list of models, which costs nothing, so that a wrong key or
 * address is told at the start and not at the first message. Servers without such a list pass.
 *
 * @throws ConfigurationError when the server cannot be reached or refuses the key.
 */
export async function checkModel(settings: ModelSettings): Promise<void> {
  if (settings.kind === 'demonstration') return;
  const address = `${settings.baseUrl}/models`;
  let response: Response;
  try {
    response = await fetch(address, {
      headers: { Authorization: `Bearer ${settings.apiKey}` },
      signal: AbortSignal.timeout(checkTimeout),
    });
    await response.body?.cancel();
  } catch (cause) {
    throw new ConfigurationError(
      `The model's server at ${settings.baseUrl} cannot be reached (${reasonOf(cause)}). Check the network and OPENAI_BASE_URL, or unset OPENAI_API_KEY to use the demonstration model.`,
      { packageName: '@minne/playground', field: 'OPENAI_BASE_URL', cause },
    );
  }
  // 403 may mean a key that is good for chatting but not for listing models.
  if (response.status === 401) {
    throw new ConfigurationError(
      `The model's server at ${settings.baseUrl} refused the key. Set OPENAI_API_KEY to a valid key, or unset it to use the demonstration model.`,
      { packageName: '@minne/playground', field: 'OPENAI_API_KEY' },
    );
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.name === 'TimeoutError' ? `no answer in ${checkTimeout / 1000} s` : error.message;
}
