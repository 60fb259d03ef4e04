import { isObject, type UncheckedObject } from './checks.js';

/** A response that the service keeps. */
export interface StoredResponse {
  /** Everything up to its end: what the model was given, and what it answered. */
  readonly items: readonly UncheckedObject[];
  readonly body: UncheckedObject;
}

/** A conversation that the service keeps. */
export interface StoredConversation {
  readonly id: string;
  readonly createdAt: number;
  readonly metadata: unknown;
  items: readonly UncheckedObject[];
  /** Whether a response is being made in it. */
  locked: boolean;
}

/** What is known of an item that the model made, whether it is kept or not. */
export interface ItemOrigin {
  /** The reasoning item that must come with it. */
  readonly reasoning: string | undefined;
  /** Of a reasoning item: the item that must follow it. */
  readonly follower: string | undefined;
}

/** What the service remembers: responses and conversations, each for its owner alone. */
export class ServiceMemory {
  readonly #responses = new Map<string, StoredResponse>();
  readonly #conversations = new Map<string, StoredConversation>();
  readonly #origins = new Map<string, ItemOrigin>();
  #ids = 0;

  /** A new id, such as `resp_000000000000000000000001`. */
  nextId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}_${String(this.#ids).padStart(24, '0')}`;
  }

  keepResponse(owner: string, id: string, response: StoredResponse): void {
    this.#responses.set(key(owner, id), response);
  }

  response(owner: string, id: string): StoredResponse | undefined {
    return this.#responses.get(key(owner, id));
  }

  deleteResponse(owner: string, id: string): boolean {
    return this.#responses.delete(key(owner, id));
  }

  keepConversation(owner: string, conversation: StoredConversation): void {
    this.#conversations.set(key(owner, conversation.id), conversation);
  }

  conversation(owner: string, id: string): StoredConversation | undefined {
    return this.#conversations.get(key(owner, id));
  }

  deleteConversation(owner: string, id: string): boolean {
    return this.#conversations.delete(key(owner, id));
  }

  /** The kept item with an id, wherever the owner has it. */
  item(owner: string, id: string): UncheckedObject | undefined {
    for (const kept of [this.#responses, this.#conversations]) {
      for (const [at, { items }] of kept) {
        if (!at.startsWith(key(owner, ''))) continue;
        const found = items.find((item) => item['id'] === id);
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** Remembers which items of one answer belong together. */
  rememberOrigins(output: readonly UncheckedObject[]): void {
    let reasoning: string | undefined;
    for (const [index, item] of output.entries()) {
      const isReasoning = item['type'] === 'reasoning';
      const next = output.slice(index + 1).find(({ type }) => type !== 'reasoning');
      if (isReasoning) reasoning = String(item['id']);
      this.#origins.set(String(item['id']), {
        reasoning: isReasoning ? undefined : reasoning,
        follower: isReasoning && isObject(next) ? String(next['id']) : undefined,
      });
    }
  }

  /** What is known of an item that a model made. */
  origin(id: unknown): ItemOrigin | undefined {
    return typeof id === 'string' ? this.#origins.get(id) : undefined;
  }
}

function key(owner: string, id: string): string {
  return JSON.stringify([owner, id]).slice(0, id === '' ? -2 : undefined);
}
