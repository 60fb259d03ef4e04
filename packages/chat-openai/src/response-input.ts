import type { ChatMessage, Content, ReasoningContent, TextContent } from '@minne/core';
import { itemIdOf, phaseOf } from './item-metadata.js';
import { toolName, wireCallId } from './request-names.js';
import { sentArguments, toolResultText } from './request-parts.js';
import { inputContent, inputParts } from './response-input-content.js';
import type {
  ResponseAssistantMessage,
  ResponseFunctionCall,
  ResponseFunctionCallOutput,
  ResponseInputItem,
  ResponseInputMessage,
  ResponseOutputMessage,
  ResponseReasoningItem,
} from './response-wire.js';

/** The greatest length of a `call_id` that Responses takes. */
const longestCallId = 64;

/**
 * Messages as the items that Responses takes, each in its place. What the service takes nothing of is left
 * out.
 *
 * @param replayReasoning - Whether reasoning is sent back. It goes with its id and in front of the very
 * items, by their ids, that it led to, or not at all; without it no item has an id, since the service
 * refuses either without the other.
 */
export function inputItems(
  messages: readonly ChatMessage[],
  replayReasoning: boolean,
): ResponseInputItem[] {
  const sentIds = new Set<string>();
  return messages.flatMap((message): ResponseInputItem[] => {
    const outputs = callOutputs(message);
    switch (message.role) {
      case 'tool':
        return outputs;
      case 'assistant': {
        const whole = replayReasoning && isWhole(message.contents, sentIds);
        return [...answerItems(message.contents, whole), ...outputs];
      }
      default:
        // Outputs stand directly behind their calls, so they go before what else was said.
        return [...outputs, ...inputMessage(message.role, message.contents)];
    }
  });
}

function inputMessage(
  role: ResponseInputMessage['role'],
  contents: readonly Content[],
): ResponseInputMessage[] {
  const parts = inputParts(contents).filter(({ type }) => role === 'user' || type === 'input_text');
  return parts.length === 0 ? [] : [{ type: 'message', role, content: inputContent(parts) }];
}

function callOutputs({ contents }: ChatMessage): ResponseFunctionCallOutput[] {
  return contents
    .filter((content) => content.type === 'tool_result')
    .map((content) => ({
      type: 'function_call_output',
      call_id: wireCallId(content.callId, longestCallId),
      output: toolResultText(content),
    }));
}

/**
 * Whether an answer can go back as the service made it: there is reasoning, all of it sealed, each in front
 * of an item, and every item with an id that was not sent before.
 */
function isWhole(contents: readonly Content[], sentIds: Set<string>): boolean {
  const items = contents.filter(isAnswer);
  const ids = items.map(itemIdOf);
  const whole =
    items.some(({ type }) => type === 'reasoning') &&
    items.at(-1)?.type !== 'reasoning' &&
    items.every((content) => content.type !== 'reasoning' || isSealed(content)) &&
    ids.every((id) => id !== undefined && !sentIds.has(id)) &&
    new Set(ids).size === ids.length;
  if (whole) for (const id of ids) if (id !== undefined) sentIds.add(id);
  return whole;
}

function isAnswer(content: Content): boolean {
  if (content.type === 'text') return content.text !== '';
  return content.type === 'reasoning' || content.type === 'tool_call';
}

/** Reasoning of another service may be sealed too; OpenAI's item ids begin with `rs`. */
function isSealed(content: ReasoningContent): boolean {
  return content.protectedData !== undefined && itemIdOf(content)?.startsWith('rs') === true;
}

function answerItems(contents: readonly Content[], whole: boolean): ResponseInputItem[] {
  return contents.filter(isAnswer).flatMap((content): ResponseInputItem[] => {
    const id = whole ? itemIdOf(content) : undefined;
    switch (content.type) {
      case 'text':
        return [assistantMessage(content, id)];
      case 'tool_call':
        return [functionCall(content, id)];
      case 'reasoning':
        return reasoningItem(content, id);
      default:
        return [];
    }
  });
}

function assistantMessage(
  content: TextContent,
  id: string | undefined,
): ResponseAssistantMessage | ResponseOutputMessage {
  const { text } = content;
  const phase = phaseOf(content);
  const head = {
    type: 'message',
    role: 'assistant',
    ...(phase === undefined ? {} : { phase }),
  } as const;
  if (id === undefined) return { ...head, content: text };
  return { ...head, id, content: [{ type: 'output_text', text }] };
}

function functionCall(
  { callId, name, arguments: text }: Extract<Content, { type: 'tool_call' }>,
  id: string | undefined,
): ResponseFunctionCall {
  return {
    type: 'function_call',
    ...(id === undefined ? {} : { id }),
    call_id: wireCallId(callId, longestCallId),
    name: toolName(name),
    arguments: sentArguments(text),
  };
}

function reasoningItem(
  { text, protectedData }: ReasoningContent,
  id: string | undefined,
): ResponseReasoningItem[] {
  if (id === undefined || protectedData === undefined) return [];
  const summary = text === '' ? [] : [{ type: 'summary_text' as const, text }];
  return [{ type: 'reasoning', id, summary, encrypted_content: protectedData }];
}
