import type { ChatOptions } from '../chat-client.js';
import type { ModelContext } from './model-context.js';
import { responseFormatOf } from './output.js';
import type { RunRequest } from './run-request.js';

/** The options of a model call of a run. @param last - Whether the rounds of tools are used up. */
export function chatOptions(
  { configuration, options, owner, session, signal }: RunRequest,
  { instructions, tools }: Pick<ModelContext, 'instructions' | 'tools'>,
  last: boolean,
): ChatOptions {
  const definitions = tools.definitions();
  return {
    ...configuration.modelOptions,
    ...options.modelOptions,
    ...responseFormatOf(options.output),
    ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
    ...(definitions.length === 0 ? {} : { tools: definitions }),
    ...(last && definitions.length > 0 ? { toolChoice: 'none' as const } : {}),
    ...(configuration.chatClient.historyStorage === 'none' ? {} : { store: owner === 'service' }),
    ...(owner === 'service' && session.serviceSessionId !== undefined
      ? { serviceSessionId: session.serviceSessionId }
      : {}),
    signal,
  };
}
