import type { ChatMessage } from '../message.js';
import type { FixedParts } from '../reduction/fixed-parts.js';
import { modelView } from './model-view.js';
import type { ProviderHooks } from './provider-hooks.js';

/**
 * What a run sends of a conversation that no service keeps: of the history what a reducer leaves, and the
 * run's own messages, which stay, however many rounds of tools there are.
 */
export class SentConversation {
  readonly #hooks: ProviderHooks;
  /** What is new when the model is first called. */
  readonly #fresh: readonly ChatMessage[];
  /** What rounds of tools have brought since, as it is sent. */
  readonly #added: ChatMessage[] = [];
  #history: readonly ChatMessage[] | undefined;
  #beginning: readonly ChatMessage[] = [];

  constructor(hooks: ProviderHooks, fresh: readonly ChatMessage[]) {
    this.#hooks = hooks;
    this.#fresh = fresh;
  }

  add(messages: readonly ChatMessage[]): void {
    this.#added.push(...modelView(messages));
  }

  /** @throws The reason of `signal`. */
  async messages(
    fixed: Omit<FixedParts, 'messages'>,
    signal: AbortSignal,
  ): Promise<readonly ChatMessage[]> {
    const own = [...this.#fresh, ...this.#added];
    const history = await this.#hooks.reduceHistory({ ...fixed, messages: own }, signal);
    if (history !== this.#history) {
      this.#history = history;
      this.#beginning = modelView([...history, ...this.#fresh]);
    }
    return [...this.#beginning, ...this.#added];
  }
}
