import {
  type AgentSession,
  type HistoryListing,
  type HistoryPage,
  type HistoryProvider,
  messageText,
  type ReadHistoryOptions,
} from '@minne/core';

/** A conversation, as a list shows it. */
export interface Conversation {
  readonly sessionId: string;
  /** The first words that the person wrote. */
  readonly title: string;
  /** RFC 3339, UTC. */
  readonly updatedAt: string;
}

/** Some conversations, most recently used first. */
export interface ConversationPage {
  readonly conversations: readonly Conversation[];
  /** Present when there are older ones: give it to get them. */
  readonly nextPageToken?: string;
}

const pageSize = 30;
const maximumTitleLength = 60;
const maximumTitles = 1_000;

/** The stored conversations of one person. */
export class Conversations {
  readonly #history: HistoryProvider;
  readonly #actorId: string;
  /** What a person wrote first does not change, so that it is read once. */
  readonly #titles = new Map<string, string>();

  constructor(history: HistoryProvider, actorId: string) {
    this.#history = history;
    this.#actorId = actorId;
  }

  /** @param pageToken - Of the page before, or nothing for the first one. */
  async list(pageToken?: string, signal?: AbortSignal): Promise<ConversationPage> {
    const listed: HistoryListing[] = [];
    const options = signal === undefined ? {} : { signal };
    const found = this.#history.backend.list?.({ actorId: this.#actorId }, options) ?? [];
    for await (const listing of found) {
      if (listing.key.sourceId === this.#history.sourceId) listed.push(listing);
      if (pageToken === undefined && listed.length > pageSize) break;
    }
    // A conversation that was used meanwhile has moved to the front: some may come again, none is lost.
    const start = listed.findIndex(({ key }) => key.sessionId === pageToken) + 1;
    const shown = listed.slice(start, start + pageSize);
    const last = listed.length > start + pageSize ? shown.at(-1) : undefined;
    const conversations: Conversation[] = [];
    for (const { key, updatedAt } of shown) {
      const title = await this.#title(key.sessionId);
      conversations.push({ sessionId: key.sessionId, title, updatedAt });
    }
    return last === undefined
      ? { conversations }
      : { conversations, nextPageToken: last.key.sessionId };
  }

  /** The newest stored messages of a conversation, or those before a sequence. None of an unknown one. */
  messages(sessionId: string, options: ReadHistoryOptions): Promise<HistoryPage> {
    return this.#history.getMessages(this.#session(sessionId), options);
  }

  async #title(sessionId: string): Promise<string> {
    const known = this.#titles.get(sessionId);
    if (known !== undefined) return known;
    const { messages } = await this.messages(sessionId, {});
    const first = messages.find(({ role }) => role === 'user');
    if (first === undefined) return 'Conversation';
    const title = titleOf(messageText(first));
    if (this.#titles.size >= maximumTitles) this.#titles.clear();
    this.#titles.set(sessionId, title);
    return title;
  }

  #session(sessionId: string): AgentSession {
    return { sessionId, actorId: this.#actorId, state: {} };
  }
}

function titleOf(text: string): string {
  const characters = [...text.trim().replace(/\s+/g, ' ')];
  return characters.length <= maximumTitleLength
    ? characters.join('')
    : `${characters.slice(0, maximumTitleLength).join('').trimEnd()}…`;
}
