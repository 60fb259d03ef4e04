import { element, find } from './dom.js';
import type { ChatItem } from './transcript.js';

/** What the chat shows. */
export interface ChatContent {
  readonly items: readonly ChatItem[];
  readonly isAnswering: boolean;
}

/** What a person does in the chat. */
export interface ChatActions {
  send(text: string): void;
  stop(): void;
}

const suggestions = [
  'I prefer aisle seats',
  'What seat do I like?',
  'What do you remember about me?',
];

/** The chat: what was said, and the field to write in. */
export class ChatView {
  readonly #log = find('transcript', HTMLElement);
  readonly #composer = find('composer', HTMLFormElement);
  readonly #message = find('message', HTMLTextAreaElement);
  readonly #send = find('send', HTMLButtonElement);
  readonly #stop = find('stop', HTMLButtonElement);
  readonly #actions: ChatActions;
  #drawn: readonly ChatItem[] = [];
  #isAnswering = false;
  /** Whether the newest line is in view, and is to stay there. */
  #isAtEnd = true;

  constructor(actions: ChatActions) {
    this.#actions = actions;
    this.#composer.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#message.addEventListener('keydown', (event) => {
      // While an input method composes a word, Enter belongs to it.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#submit();
    });
    this.#stop.addEventListener('click', () => this.#actions.stop());
    this.#log.addEventListener('scroll', () => {
      const { scrollHeight, scrollTop, clientHeight } = this.#log;
      this.#isAtEnd = scrollHeight - scrollTop - clientHeight < 48;
    });
    // The field to write in grows, and windows change.
    new ResizeObserver(() => this.#stayAtEnd()).observe(this.#log);
  }

  /** Shows the newest, ready to be answered. */
  focus(): void {
    this.#isAtEnd = true;
    this.#stayAtEnd();
    this.#message.focus();
  }

  /** Puts a text back that could not be sent, unless something else was written meanwhile. */
  restore(text: string): void {
    if (this.#message.value === '') this.#message.value = text;
  }

  show({ items, isAnswering }: ChatContent): void {
    this.#isAnswering = isAnswering;
    // A screen reader is told of the answer when it is whole.
    this.#log.setAttribute('aria-busy', String(isAnswering));
    this.#send.hidden = isAnswering;
    this.#stop.hidden = !isAnswering;
    this.#draw(items);
    const last = this.#log.lastElementChild;
    for (const node of this.#log.querySelectorAll('.streaming')) node.classList.remove('streaming');
    if (isAnswering && items.at(-1)?.kind === 'assistant') last?.classList.add('streaming');
    this.#stayAtEnd();
  }

  #draw(items: readonly ChatItem[]): void {
    if (items.length === 0) {
      this.#log.replaceChildren(this.#welcome());
    } else {
      if (this.#drawn.length === 0) this.#log.replaceChildren();
      const nodes = [...this.#log.children];
      for (const [index, item] of items.entries()) {
        const node = nodes[index];
        if (node === undefined) this.#log.append(nodeOf(item));
        else if (item !== this.#drawn[index]) node.replaceWith(nodeOf(item));
      }
      for (const node of nodes.slice(items.length)) node.remove();
    }
    this.#drawn = items;
  }

  #submit(): void {
    const text = this.#message.value.trim();
    if (text === '' || this.#isAnswering) return;
    this.#message.value = '';
    this.#isAtEnd = true;
    this.#actions.send(text);
  }

  #stayAtEnd(): void {
    if (this.#isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  #welcome(): HTMLElement {
    const buttons = suggestions.map((text) => {
      const button = element('button', { type: 'button' }, text);
      button.addEventListener('click', () => this.#actions.send(text));
      return button;
    });
    return element(
      'div',
      { class: 'welcome' },
      element('h3', {}, 'An agent that remembers'),
      element(
        'p',
        {},
        'Say something about yourself, begin a new conversation, and ask about it there. Beside the chat you see what is stored of this conversation, and below it what outlives it.',
      ),
      element('div', { class: 'suggestions' }, ...buttons),
    );
  }
}

function nodeOf(item: ChatItem): HTMLElement {
  switch (item.kind) {
    case 'user':
      return element('div', { class: 'item item-user' }, item.text);
    case 'assistant': {
      const node = element('div', { class: 'item item-assistant' }, item.text);
      if (item.isIncomplete) node.append(' ', element('span', { class: 'badge' }, 'incomplete'));
      return node;
    }
    case 'notice':
      return element('div', { class: 'item item-notice' }, item.text);
    case 'tool':
      return toolNode(item);
  }
}

function toolNode(item: ChatItem & { kind: 'tool' }): HTMLElement {
  const state = item.result === undefined ? ' running' : item.isError ? ' failed' : '';
  return element(
    'details',
    { class: `item item-tool${state}` },
    element('summary', {}, toolTitle(item)),
    element('pre', {}, `${item.name} ${item.arguments}\n${item.result ?? '…'}`),
  );
}

function toolTitle(item: ChatItem & { kind: 'tool' }): string {
  const value = (key: string) => argument(item.arguments, key);
  const isDone = item.result !== undefined;
  switch (item.name) {
    case 'search_memory':
      return `${isDone ? 'Searched' : 'Searching'} memory for “${value('query')}”`;
    case 'save_memory':
      return `${isDone ? 'Saved' : 'Saving'} ${value('path')}`;
    case 'list_memories':
      return `${isDone ? 'Listed' : 'Listing'} memories`;
    case 'forget_memory':
      return `${isDone ? 'Forgot' : 'Forgetting'} ${value('path')}`;
    default:
      return item.name;
  }
}

/** A model may write anything for arguments; what cannot be read is left out of the title. */
function argument(text: string, key: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return '';
    return String(Object.entries(parsed).find(([name]) => name === key)?.[1] ?? '');
  } catch {
    return '';
  }
}
