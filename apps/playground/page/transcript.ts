import type { ChatMessage } from '@minne/core';
import type { AnswerEvent } from './wire.js';

/** One thing in the chat. Items are replaced, never changed, so that only what is new is drawn. */
export type ChatItem =
  | { readonly kind: 'user'; readonly text: string }
  | {
      readonly kind: 'assistant';
      readonly messageId: string;
      readonly text: string;
      readonly isIncomplete: boolean;
    }
  | {
      readonly kind: 'tool';
      readonly callId: string;
      readonly name: string;
      readonly arguments: string;
      /** Absent while the tool runs. */
      readonly result?: string;
      readonly isError: boolean;
    }
  | { readonly kind: 'notice'; readonly text: string };

/** The chat that stored messages tell. */
export function itemsOf(messages: readonly ChatMessage[]): readonly ChatItem[] {
  let items: readonly ChatItem[] = [];
  for (const message of messages) {
    for (const content of message.contents) {
      if (content.type === 'text' && message.role === 'user') {
        items = [...items, { kind: 'user', text: content.text }];
      } else if (content.type === 'text' && message.role === 'assistant') {
        items = appendText(items, message.id, content.text, message.status === 'incomplete');
      } else if (content.type === 'tool_call') {
        items = [...items, callItem(content)];
      } else if (content.type === 'tool_result') {
        items = withResult(items, content);
      }
    }
  }
  return items;
}

/** The chat after one more event of an answer. */
export function applyEvent(items: readonly ChatItem[], event: AnswerEvent): readonly ChatItem[] {
  switch (event.type) {
    case 'text-delta':
      return appendText(items, event.messageId, event.delta, false);
    case 'tool-call-end':
      return [...items, callItem(event.toolCall)];
    case 'tool-result':
      return withResult(items, event.toolResult);
    case 'error':
      return [...items.map(cutShort), { kind: 'notice', text: event.message }];
    default:
      return items;
  }
}

/** A failure leaves the answer that was being written incomplete. */
function cutShort(item: ChatItem, index: number, items: readonly ChatItem[]): ChatItem {
  return index === items.length - 1 && item.kind === 'assistant'
    ? { ...item, isIncomplete: true }
    : item;
}

function appendText(
  items: readonly ChatItem[],
  messageId: string,
  text: string,
  isIncomplete: boolean,
): readonly ChatItem[] {
  const last = items.at(-1);
  if (last?.kind !== 'assistant' || last.messageId !== messageId) {
    return [...items, { kind: 'assistant', messageId, text, isIncomplete }];
  }
  return [...items.slice(0, -1), { ...last, text: last.text + text, isIncomplete }];
}

function callItem(call: {
  readonly callId: string;
  readonly name: string;
  readonly arguments: string;
}): ChatItem {
  const { callId, name } = call;
  return { kind: 'tool', callId, name, arguments: call.arguments, isError: false };
}

/** The result belongs to the first call with its id that has none: services use ids again. */
function withResult(
  items: readonly ChatItem[],
  { callId, result, error }: { callId: string; result: unknown; error?: string },
): readonly ChatItem[] {
  const index = items.findIndex(
    (item) => item.kind === 'tool' && item.callId === callId && item.result === undefined,
  );
  const item = items[index];
  if (item?.kind !== 'tool') return items;
  const text = error ?? (typeof result === 'string' ? result : JSON.stringify(result, null, 2));
  return items.with(index, { ...item, result: text, isError: error !== undefined });
}
