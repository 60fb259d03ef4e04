import { element, find, timeElement } from './dom.js';
import type { SessionWire } from './wire.js';

/** What the list shows. */
export interface ConversationListContent {
  readonly sessions: readonly SessionWire[];
  readonly currentId: string;
  readonly hasOlder: boolean;
}

/** What a person does with the list. */
export interface ConversationListActions {
  open(sessionId: string): void;
  create(): void;
  showOlder(): void;
}

/** The stored conversations, most recently used first. */
export class ConversationList {
  readonly #list = find('conversation-list', HTMLUListElement);
  readonly #older = find('older-conversations', HTMLButtonElement);
  readonly #actions: ConversationListActions;

  constructor(actions: ConversationListActions) {
    this.#actions = actions;
    find('new-conversation', HTMLButtonElement).addEventListener('click', () => actions.create());
    this.#older.addEventListener('click', () => actions.showOlder());
  }

  show({ sessions, currentId, hasOlder }: ConversationListContent): void {
    this.#older.hidden = !hasOlder;
    const items = sessions.map((session) => this.#item(session, currentId));
    // A new conversation is stored, and so listed, with its first message.
    if (!sessions.some(({ session_id }) => session_id === currentId)) {
      items.unshift(this.#item({ session_id: currentId, title: 'New conversation' }, currentId));
    }
    this.#list.replaceChildren(...items);
  }

  #item(
    session: Partial<SessionWire> & Pick<SessionWire, 'session_id' | 'title'>,
    currentId: string,
  ) {
    const { session_id: id, title, update_time: time } = session;
    const button = element('button', { type: 'button' }, element('span', { title }, title));
    if (id === currentId) button.setAttribute('aria-current', 'true');
    if (time !== undefined) button.append(timeElement(time));
    button.addEventListener('click', () => this.#actions.open(id));
    return element('li', {}, button);
  }
}
