import type { ChatMessage } from '@minne/core';
import type { Api } from './api.js';
import { applyEvent, type ChatItem, itemsOf } from './transcript.js';

/** What a conversation tells its owner. */
export interface ConversationListeners {
  /** The chat has changed. */
  onChat(): void;
  /** Something may have been stored or remembered. */
  onStored(): void;
}

/** A conversation that is open, or still answers while another one is. */
export class Conversation {
  readonly id: string;
  readonly #api: Api;
  readonly #listeners: ConversationListeners;
  #items: readonly ChatItem[] = [];
  #messages: readonly ChatMessage[] = [];
  #earlier: number | undefined;
  #damaged = 0;
  #isAnswering = false;

  constructor(id: string, api: Api, listeners: ConversationListeners) {
    this.id = id;
    this.#api = api;
    this.#listeners = listeners;
  }

  get items(): readonly ChatItem[] {
    return this.#items;
  }

  /** What is stored, in order, as far as it was loaded. */
  get messages(): readonly ChatMessage[] {
    return this.#messages;
  }

  get hasEarlier(): boolean {
    return this.#earlier !== undefined;
  }

  get damaged(): number {
    return this.#damaged;
  }

  get isAnswering(): boolean {
    return this.#isAnswering;
  }

  /** Reads the newest stored messages; the chat goes on showing what it saw happen. */
  async load(): Promise<void> {
    const page = await this.#api.messages(this.id);
    const newest = new Set(page.messages.map(({ id }) => id));
    const overlap = this.#messages.findIndex(({ id }) => newest.has(id));
    // Pages that were loaded before stay, as long as they meet the newest one.
    this.#messages = [...this.#messages.slice(0, Math.max(0, overlap)), ...page.messages];
    if (overlap <= 0) this.#earlier = page.before;
    this.#damaged = page.damaged;
  }

  /** Makes the chat show what is stored, unless it is just being written. */
  rebuild(): void {
    if (!this.#isAnswering) this.#items = itemsOf(this.#messages);
  }

  /** Reads the stored messages before those that are loaded. */
  async loadEarlier(): Promise<void> {
    const page = await this.#api.messages(this.id, this.#earlier);
    this.#messages = [...page.messages, ...this.#messages];
    this.#earlier = page.before;
    this.rebuild();
  }

  /** Writes, and follows the answer to its end. @throws ApiError when it was not accepted. */
  async send(text: string): Promise<void> {
    const before = this.#items;
    this.#isAnswering = true;
    this.#show([...before, { kind: 'user', text }]);
    let isAccepted = false;
    try {
      for await (const event of this.#api.send(this.id, text)) {
        this.#show(applyEvent(this.#items, event));
        // The input is stored before the first model call, and a memory before its tool answers.
        if (!isAccepted || event.type === 'tool-result') this.#listeners.onStored();
        isAccepted = true;
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#items = isAccepted ? applyEvent(this.#items, { type: 'error', message }) : before;
      throw error;
    } finally {
      this.#isAnswering = false;
      this.#listeners.onChat();
      this.#listeners.onStored();
    }
  }

  async stop(): Promise<void> {
    await this.#api.stop(this.id);
  }

  #show(items: readonly ChatItem[]): void {
    this.#items = items;
    this.#listeners.onChat();
  }
}
