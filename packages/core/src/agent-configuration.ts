import type { AgentOptions, ModelOptions } from './agent-options.js';
import type { ChatClient } from './chat-client.js';
import type { ContextProvider, Diagnostic } from './context-provider.js';
import { ConfigurationError } from './errors.js';
import { HistoryProvider } from './history-provider.js';
import { type Clock, type IdGenerator, systemClock, uuidv7 } from './identity.js';
import type { AgentMiddleware } from './middleware.js';
import { ToolSet } from './run/tool-set.js';
import type { Tool } from './tool.js';

/** The options of an agent, checked and complete. Never changed by a run. */
export interface AgentConfiguration {
  readonly chatClient: ChatClient;
  readonly name: string | undefined;
  readonly instructions: string | undefined;
  readonly tools: readonly Tool[];
  readonly providers: readonly ContextProvider[];
  /** The provider that loads, when one was configured. */
  readonly loadingProvider: HistoryProvider | undefined;
  readonly modelOptions: ModelOptions;
  readonly store: boolean | undefined;
  readonly persistPerServiceCall: boolean;
  readonly maxToolRounds: number;
  readonly afterRunTimeout: number;
  readonly middleware: readonly AgentMiddleware[];
  readonly onDiagnostic: ((diagnostic: Diagnostic) => void) | undefined;
  readonly clock: Clock;
  readonly ids: IdGenerator;
}

const defaultMaxToolRounds = 20;

const defaultAfterRunTimeout = 60_000;

/** The longest that a timer of the platform can wait, in milliseconds. */
const longestTimer = 2 ** 31 - 1;

/** The `sourceId` of the history that a session keeps itself. */
export const sessionSourceId = 'in_memory';

/** @throws ConfigurationError for whatever could not work in any run. */
export function configureAgent(options: AgentOptions): AgentConfiguration {
  // Programs without types may leave out or mix up what an agent cannot do without.
  if (typeof options?.chatClient?.getResponse !== 'function') {
    throw wrong(
      'chatClient',
      'The agent has no chatClient. Give it one, such as new OpenAIChatCompletionClient({ modelId }) of @minne/chat-openai.',
    );
  }
  const providers = options.contextProviders ?? [];
  if (!Array.isArray(providers)) {
    throw wrong('contextProviders', 'contextProviders must be an array, also for a single one.');
  }
  for (const [index, provider] of providers.entries()) {
    if (typeof provider?.sourceId !== 'string' || provider.sourceId === '') {
      throw wrong(
        'contextProviders',
        `contextProviders[${index}] has no sourceId; give it a name.`,
      );
    }
    if (provider.sourceId.startsWith('minne.')) {
      throw wrong(
        'contextProviders',
        `contextProviders[${index}] has the sourceId ${provider.sourceId}; names that begin with "minne." are kept for Minne itself. Give it another.`,
      );
    }
  }
  const loading = providers.filter(
    (provider): provider is HistoryProvider =>
      HistoryProvider.isInstance(provider) && provider.loadMessages,
  );
  checkProviders(providers, loading);
  const tags = (options.sessionFormat?.codecs ?? []).map(({ tag }) => tag);
  const twice = tags.find((tag, index) => tags.indexOf(tag) !== index);
  if (twice !== undefined) {
    throw wrong(
      'sessionFormat',
      `Two state codecs have the tag ${JSON.stringify(twice)}, and what one writes the other would read. Give one of them another.`,
    );
  }
  const [loadingProvider] = loading;
  if (
    loadingProvider === undefined &&
    options.chatClient.historyStorage !== 'required' &&
    providers.some(({ sourceId }) => sourceId === sessionSourceId)
  ) {
    throw wrong(
      'contextProviders',
      `A context provider has the sourceId ${sessionSourceId}, as the history that a session keeps itself when no provider loads. Give the provider another.`,
    );
  }
  if (loadingProvider !== undefined && options.chatClient.historyStorage === 'required') {
    throw wrong(
      'contextProviders',
      `The provider ${loadingProvider.sourceId} loads the history, but this chat client's service always keeps it itself. Leave the provider out, or set its loadMessages to false so that it only records.`,
    );
  }
  const maxToolRounds = options.maxToolRounds ?? defaultMaxToolRounds;
  if (!Number.isInteger(maxToolRounds) || maxToolRounds < 1) {
    throw wrong(
      'maxToolRounds',
      `maxToolRounds is ${maxToolRounds}; give a whole number from 1 up.`,
    );
  }
  const afterRunTimeout = options.afterRunTimeout ?? defaultAfterRunTimeout;
  const isTime = Number.isInteger(afterRunTimeout) && afterRunTimeout <= longestTimer;
  if (afterRunTimeout < 1 || !(isTime || afterRunTimeout === Number.POSITIVE_INFINITY)) {
    throw wrong(
      'afterRunTimeout',
      `afterRunTimeout is ${afterRunTimeout}; give whole milliseconds from 1 to ${longestTimer}, or Infinity for no limit.`,
    );
  }
  const tools = [...(options.tools ?? [])];
  new ToolSet().add(tools, 'the agent');
  return {
    chatClient: options.chatClient,
    name: options.name,
    instructions: options.instructions,
    tools,
    providers: [...providers],
    loadingProvider,
    modelOptions: { ...options.modelOptions },
    store: options.store,
    persistPerServiceCall: options.persistPerServiceCall ?? false,
    maxToolRounds,
    afterRunTimeout,
    middleware: [...(options.middleware ?? [])],
    onDiagnostic: options.onDiagnostic,
    clock: options.clock ?? systemClock,
    ids: options.ids ?? uuidv7,
  };
}

function checkProviders(
  providers: readonly ContextProvider[],
  loading: readonly HistoryProvider[],
): void {
  const seen = new Set<string>();
  for (const { sourceId } of providers) {
    if (seen.has(sourceId)) {
      throw wrong(
        'contextProviders',
        `Two context providers have the sourceId ${JSON.stringify(sourceId)}; give one of them another.`,
      );
    }
    seen.add(sourceId);
  }
  if (loading.length > 1) {
    const names = loading.map(({ sourceId }) => sourceId).join(' and ');
    throw wrong(
      'contextProviders',
      `Several history providers would load messages (${names}). Set loadMessages to false on all but one.`,
    );
  }
}

function wrong(field: string, text: string): ConfigurationError {
  return new ConfigurationError(text, { packageName: '@minne/core', field });
}
