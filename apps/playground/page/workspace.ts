import { type Api, ApiError } from './api.js';
import { ChatView } from './chat-view.js';
import { Conversation } from './conversation.js';
import { ConversationList } from './conversation-list.js';
import { find } from './dom.js';
import { MemoryPanel } from './memory-panel.js';
import { PartSwitch } from './part-switch.js';
import { StoredMessages } from './stored-messages.js';
import type { About, SessionWire } from './wire.js';

const openKey = 'minne.session';

/** The signed-in page: keeps its parts in step with the server. */
export class Workspace {
  readonly #api: Api;
  readonly #about: About;
  readonly #onSignedOut: (message: string) => void;
  readonly #status = find('status', HTMLElement);
  readonly #parts = new PartSwitch();
  readonly #chat: ChatView;
  readonly #list: ConversationList;
  readonly #stored: StoredMessages;
  readonly #memory: MemoryPanel;
  /** Conversations that still answer, so that one can leave them and come back. */
  readonly #answering = new Map<string, Conversation>();
  #current: Conversation;
  #shownId: string | undefined;
  #sessions: readonly SessionWire[] = [];
  #olderToken: string | undefined;

  private constructor(
    api: Api,
    about: About,
    sessionId: string,
    onSignedOut: (message: string) => void,
  ) {
    this.#api = api;
    this.#about = about;
    this.#onSignedOut = onSignedOut;
    this.#chat = new ChatView({
      send: (text) => this.#do(() => this.#send(text)),
      stop: () => this.#do(() => this.#current.stop()),
    });
    this.#list = new ConversationList({
      open: (id) => this.#do(() => this.#open(id)),
      create: () => this.#do(async () => this.#open(await api.newSession())),
      showOlder: () => this.#do(() => this.#showOlder()),
    });
    this.#stored = new StoredMessages(() =>
      this.#do(async () => {
        await this.#current.loadEarlier();
        this.#showConversation();
      }),
    );
    this.#memory = new MemoryPanel({
      search: () => this.#do(() => this.#refreshMemory()),
      forget: (entry) =>
        this.#do(async () => {
          await api.forget(entry);
          await this.#refreshMemory();
        }),
    });
    this.#current = this.#conversation(sessionId);
    find('model-name', HTMLElement).textContent = about.model;
    find('model-name', HTMLElement).title = `Everything is kept in ${about.data_directory}`;
    find('sign-out', HTMLButtonElement).addEventListener('click', () =>
      this.#do(async () => {
        await api.signOut();
        onSignedOut('You have signed out.');
      }),
    );
    // Another tab or program may have written meanwhile.
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#do(() => this.#reopen());
    });
  }

  /** Shows the conversation that this tab had open, else a new one. */
  static async open(api: Api, onSignedOut: (message: string) => void): Promise<Workspace> {
    const about = await api.about();
    const id = sessionStorage.getItem(openKey) ?? (await api.newSession());
    const workspace = new Workspace(api, about, id, onSignedOut);
    await workspace.#open(id);
    return workspace;
  }

  async #open(id: string): Promise<void> {
    sessionStorage.setItem(openKey, id);
    this.#current = this.#answering.get(id) ?? this.#conversation(id);
    this.#parts.show('chat');
    await this.#reopen();
    this.#chat.focus();
  }

  async #reopen(): Promise<void> {
    await this.#refresh();
    this.#current.rebuild();
    this.#showConversation();
  }

  async #send(text: string): Promise<void> {
    const conversation = this.#current;
    this.#answering.set(conversation.id, conversation);
    try {
      await conversation.send(text);
    } catch (error) {
      if (conversation === this.#current) this.#chat.restore(text);
      throw error;
    } finally {
      this.#answering.delete(conversation.id);
    }
  }

  async #refresh(): Promise<void> {
    const conversation = this.#current;
    await Promise.all([
      conversation.load().then(() => this.#showConversation()),
      this.#refreshSessions(),
      this.#refreshMemory(),
    ]);
  }

  #showConversation(): void {
    const { id, items, isAnswering, messages, damaged, hasEarlier } = this.#current;
    this.#chat.show({ items, isAnswering });
    this.#stored.show({ messages, damaged, hasEarlier }, this.#shownId !== id);
    this.#shownId = id;
  }

  async #refreshSessions(): Promise<void> {
    const page = await this.#api.sessions();
    this.#sessions = page.sessions;
    this.#olderToken = page.next_page_token;
    this.#showSessions();
  }

  async #showOlder(): Promise<void> {
    const page = await this.#api.sessions(this.#olderToken);
    const known = new Set(this.#sessions.map(({ session_id }) => session_id));
    const older = page.sessions.filter(({ session_id }) => !known.has(session_id));
    this.#sessions = [...this.#sessions, ...older];
    this.#olderToken = page.next_page_token;
    this.#showSessions();
  }

  #showSessions(): void {
    this.#list.show({
      sessions: this.#sessions,
      currentId: this.#current.id,
      hasOlder: this.#olderToken !== undefined,
    });
  }

  async #refreshMemory(): Promise<void> {
    const { query } = this.#memory;
    const entries =
      query === ''
        ? (await this.#api.entries(this.#about)).map((entry) => ({ entry }))
        : await this.#api.search(this.#about, query);
    // A slower answer to what was typed before must not take the place of a newer one.
    if (query === this.#memory.query) this.#memory.show(entries, query);
  }

  #conversation(id: string): Conversation {
    const conversation: Conversation = new Conversation(id, this.#api, {
      onChat: () => {
        if (conversation !== this.#current) return;
        this.#chat.show({ items: conversation.items, isAnswering: conversation.isAnswering });
      },
      onStored: () => this.#do(() => this.#refresh()),
    });
    return conversation;
  }

  /** Does something that may fail, and tells the person when it does. */
  #do(work: () => Promise<void>): void {
    this.#status.textContent = '';
    work().catch((error: unknown) => {
      if (error instanceof ApiError && error.status === 401) this.#onSignedOut(error.message);
      else this.#status.textContent = error instanceof Error ? error.message : String(error);
    });
  }
}
