import { type ChatMessage, messageText, type ToolCallContent } from '@minne/core';
import type {
  WireAssistantMessage,
  WireMessage,
  WireToolCall,
  WireToolMessage,
} from './chat-completion-wire.js';
import type { OpenAIChatCompletionCommonOptions } from './openai-chat-completion-options.js';
import { contentOf, textParts, userParts } from './request-content.js';
import { participantName, toolName, wireCallId } from './request-names.js';
import { sentArguments, toolResultText } from './request-parts.js';

/** The options that decide how messages are written. */
type MessageDialect = Pick<
  OpenAIChatCompletionCommonOptions,
  'developerRole' | 'names' | 'reasoningField'
>;

/**
 * Messages as Chat Completions takes them: the instructions first, then each message in its place. A
 * message with several tool results becomes several; one with nothing that the service takes is left out.
 */
export function wireMessages(
  instructions: string | undefined,
  messages: readonly ChatMessage[],
  dialect: MessageDialect,
): WireMessage[] {
  const written = messages.flatMap((message) => wireMessage(message, dialect));
  if (instructions === undefined || instructions === '') return written;
  return [{ role: 'system', content: instructions }, ...written];
}

function wireMessage(message: ChatMessage, dialect: MessageDialect): WireMessage[] {
  const results = toolMessages(message);
  switch (message.role) {
    case 'tool':
      return results;
    case 'assistant':
      return [...assistantMessage(message, dialect), ...results];
    case 'user': {
      const parts = userParts(message.contents);
      if (parts.length === 0) return results;
      // Results stand directly behind their calls, so they go before what else the user said.
      return [...results, { role: 'user', content: contentOf(parts), ...nameOf(message, dialect) }];
    }
    default: {
      const parts = textParts(message.contents);
      if (parts.length === 0) return results;
      const role = message.role === 'developer' ? (dialect.developerRole ?? 'developer') : 'system';
      return [...results, { role, content: contentOf(parts), ...nameOf(message, dialect) }];
    }
  }
}

function assistantMessage(message: ChatMessage, dialect: MessageDialect): WireAssistantMessage[] {
  const text = messageText(message);
  const calls = message.contents.filter((content) => content.type === 'tool_call').map(wireCall);
  if (text === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(dialect.names === 'all' ? nameOf(message, dialect) : {}),
      ...reasoningOf(message, dialect),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

function toolMessages(message: ChatMessage): WireToolMessage[] {
  return message.contents
    .filter((content) => content.type === 'tool_result')
    .map((content) => ({
      role: 'tool',
      tool_call_id: wireCallId(content.callId),
      content: toolResultText(content),
    }));
}

function wireCall(call: ToolCallContent): WireToolCall {
  return {
    id: wireCallId(call.callId),
    type: 'function',
    function: { name: toolName(call.name), arguments: sentArguments(call.arguments) },
  };
}

function nameOf({ authorName }: ChatMessage, { names }: MessageDialect): { name?: string } {
  const name = names === 'none' ? undefined : participantName(authorName);
  return name === undefined ? {} : { name };
}

function reasoningOf(message: ChatMessage, { reasoningField }: MessageDialect) {
  if (reasoningField === undefined) return {};
  const reasoning = message.contents
    .filter((content) => content.type === 'reasoning')
    .map(({ text }) => text)
    .join('');
  // Sent even when empty: servers that want the field want it in every message.
  return { [reasoningField]: reasoning };
}
