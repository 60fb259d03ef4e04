import type { AgentConfiguration } from '../agent-configuration.js';
import type { RunOptions } from '../agent-options.js';
import type { HistoryOwner } from '../context-provider.js';
import { sourceMetadataKey } from '../history-provider.js';
import { type ChatMessage, createMessage } from '../message.js';
import type { RequestSources } from '../middleware.js';
import type { Gathered } from './provider-hooks.js';
import { ToolSet } from './tool-set.js';

/** What the model is told and given in a run beside the conversation. */
export interface ModelContext {
  readonly tools: ToolSet;
  /** In the order in which they are told: the agent's, the run's, those of providers. */
  readonly instructions: readonly string[];
  /** The messages that providers inject, each with the provider's `sourceId` in its metadata. */
  readonly messages: readonly ChatMessage[];
  /** Instructions for this turn, as messages that stand behind these. */
  readonly turnMessages: readonly ChatMessage[];
  /** Which of these came from which provider. */
  readonly sources: RequestSources;
}

/** What a run has before anything was brought together. */
export const emptyModelContext: ModelContext = {
  tools: new ToolSet(),
  instructions: [],
  messages: [],
  turnMessages: [],
  sources: { instructions: [], tools: new Map() },
};

/** Puts together what the agent, the run and the providers bring. @throws ConfigurationError when two tools share a name. */
export function modelContext(
  configuration: AgentConfiguration,
  options: RunOptions,
  contributions: Gathered['contributions'],
  owner: HistoryOwner,
): ModelContext {
  const tools = new ToolSet();
  tools.add(configuration.tools, 'the agent');
  tools.add(options.tools ?? [], 'the run');
  const instructions = [configuration.instructions, options.instructions];
  const messages: ChatMessage[] = [];
  const ofTurn = [{ text: options.turnInstructions, metadata: {} }];
  const told: RequestSources['instructions'][number][] = [];
  const toolSources = new Map<string, string>();
  for (const { sourceId, contribution } of contributions) {
    instructions.push(contribution.instructions);
    if (contribution.instructions) told.push({ sourceId, text: contribution.instructions });
    ofTurn.push({
      text: contribution.turnInstructions,
      metadata: { [sourceMetadataKey]: sourceId },
    });
    tools.add(contribution.tools ?? [], sourceId);
    for (const { name } of contribution.tools ?? []) toolSources.set(name, sourceId);
    for (const message of contribution.messages ?? []) {
      const metadata = { ...message.metadata, [sourceMetadataKey]: sourceId };
      messages.push(
        createMessage({ ...message, metadata }, configuration.ids, configuration.clock),
      );
    }
  }
  const turnMessages: ChatMessage[] = [];
  for (const { text, metadata } of ofTurn) {
    if (!text) continue;
    // A service would keep the message with its history, and send it in every later turn.
    if (owner === 'service') instructions.push(text);
    else {
      const message = { role: 'developer', contents: text, metadata } as const;
      turnMessages.push(createMessage(message, configuration.ids, configuration.clock));
    }
  }
  return {
    tools,
    instructions: instructions.filter((text): text is string => text !== undefined && text !== ''),
    messages: Object.freeze(messages),
    turnMessages: Object.freeze(turnMessages),
    sources: Object.freeze({ instructions: Object.freeze(told), tools: toolSources }),
  };
}
