import type { ChatMessage } from '@minne/core';
import { element, find, timeElement } from './dom.js';

type Content = ChatMessage['contents'][number];

/** What is shown of a conversation's history. */
export interface StoredContent {
  readonly messages: readonly ChatMessage[];
  readonly damaged: number;
  readonly hasEarlier: boolean;
}

/** The messages as the history has them, so that one sees what is kept and when. */
export class StoredMessages {
  readonly #list = find('stored-list', HTMLOListElement);
  readonly #count = find('stored-count', HTMLElement);
  readonly #earlier = find('earlier-messages', HTMLButtonElement);
  #shown = new Map<string, string>();

  constructor(showEarlier: () => void) {
    this.#earlier.addEventListener('click', showEarlier);
  }

  /** @param isOpening - Whether another conversation is shown, whose messages are not news. */
  show({ messages, damaged, hasEarlier }: StoredContent, isOpening: boolean): void {
    const { scrollHeight, scrollTop, clientHeight } = this.#list;
    const wasAtEnd = scrollHeight - scrollTop - clientHeight < 48;
    this.#earlier.hidden = !hasEarlier;
    this.#count.textContent = [
      hasEarlier ? `the newest ${messages.length}` : String(messages.length),
      ...(damaged === 0 ? [] : [`${damaged} unreadable`]),
    ].join(', ');
    const before = this.#shown;
    this.#shown = new Map(messages.map((message) => [message.id, JSON.stringify(message)]));
    const nodes = messages.map((message) => {
      const isFresh = !isOpening && before.get(message.id) !== this.#shown.get(message.id);
      return messageNode(message, isFresh);
    });
    if (messages.length === 0) nodes.push(element('li', { class: 'hint' }, 'Nothing yet.'));
    this.#list.replaceChildren(...nodes);
    if (isOpening || wasAtEnd) this.#list.scrollTop = this.#list.scrollHeight;
    else this.#list.scrollTop = scrollTop;
  }
}

function messageNode(message: ChatMessage, isFresh: boolean): HTMLLIElement {
  const head = element(
    'div',
    { class: 'stored-head', title: message.id },
    element('span', { class: `role role-${message.role}` }, message.role),
  );
  if (message.status !== undefined) {
    head.append(element('span', { class: 'badge' }, message.status));
  }
  head.append(timeElement(message.createdAt));
  const contents = message.contents.flatMap((content) => [
    element('span', { class: 'content-type' }, content.type),
    element('div', { class: 'content-text' }, textOf(content)),
  ]);
  return element('li', isFresh ? { class: 'fresh' } : {}, head, ...contents);
}

function textOf(content: Content): string {
  switch (content.type) {
    case 'text':
    case 'reasoning':
      return content.text;
    case 'tool_call':
      return `${content.name} ${content.arguments}`;
    case 'tool_result':
      return (
        content.error ??
        (typeof content.result === 'string' ? content.result : JSON.stringify(content.result))
      );
    default:
      return JSON.stringify(content);
  }
}
