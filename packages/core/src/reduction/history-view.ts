import type { ChatReducer, ReductionReport } from '../chat-reducer.js';
import type { Warning } from '../context-provider.js';
import type { ChatMessage } from '../message.js';
import type { SessionState } from '../session.js';
import { applyReducer } from './apply-reducer.js';
import type { FixedParts } from './fixed-parts.js';
import type { PlacedMessage } from './placed-message.js';
import {
  applyReduction,
  holdsNewerReduction,
  type KeptReduction,
  reductionOf,
  writeReduction,
} from './reduction-state.js';

/** What a view is made of. */
export interface HistoryViewOptions {
  readonly reducer: ChatReducer;
  /** What was loaded, as it is stored or, where the input edits it, as it is going to be. */
  readonly loaded: readonly PlacedMessage[];
  /** What earlier reductions have left, if that is still true of what is stored. */
  readonly reduction: KeptReduction | undefined;
  /** Where reductions are kept. `undefined`: they are not. */
  readonly state: SessionState | undefined;
}

/** What came of a reduction of the view. */
export interface ReducedView {
  /** What of the history is sent. The same array as before when nothing has changed. */
  readonly messages: readonly ChatMessage[];
  readonly reports: readonly ReductionReport[];
  readonly warnings: readonly Omit<Warning, 'sourceId'>[];
}

/** What a run sends of its history. Reduced again and again it only gets smaller; what is stored stays. */
export class HistoryView {
  readonly #reducer: ChatReducer;
  readonly #loaded: readonly PlacedMessage[];
  readonly #state: SessionState | undefined;
  #reduction: KeptReduction | undefined;
  #items: readonly PlacedMessage[];
  #messages: readonly ChatMessage[];
  /** Warnings that the run has been given. */
  readonly #told = new Set<string>();
  #reported = false;
  /** Set when there is nothing more to hope for: a run with many rounds asks many times. */
  #done = false;

  constructor({ reducer, loaded, reduction, state }: HistoryViewOptions) {
    this.#reducer = reducer;
    this.#loaded = loaded;
    this.#state = state;
    this.#reduction = reduction;
    this.#items = reduction === undefined ? loaded : applyReduction(reduction, loaded);
    this.#messages = messagesOf(this.#items);
  }

  /** @throws The reason of `signal`. */
  async reduce(fixed: FixedParts, signal: AbortSignal): Promise<ReducedView> {
    if (this.#done) return { messages: this.#messages, reports: [], warnings: [] };
    const { items, reports, warnings } = await applyReducer(
      this.#reducer,
      this.#items,
      fixed,
      signal,
    );
    const changed = items !== this.#items;
    if (changed) {
      this.#items = items;
      this.#messages = messagesOf(items);
      this.#keep();
    }
    // Only tokens are used up while the run lasts; and what has failed once would cost time again.
    const failed = !changed && warnings.length > 0;
    this.#done = failed || this.#reducer.tokenCounter === undefined;
    const first = !this.#reported;
    this.#reported = true;
    const news = warnings.filter(({ code, message }) => !this.#told.has(`${code} ${message}`));
    for (const { code, message } of news) this.#told.add(`${code} ${message}`);
    return { messages: this.#messages, reports: changed || first ? reports : [], warnings: news };
  }

  #keep(): void {
    const { id } = this.#reducer;
    this.#reduction = reductionOf(id, this.#loaded, this.#items, this.#reduction);
    const state = this.#state;
    if (state === undefined || this.#reduction === undefined || holdsNewerReduction(state)) return;
    writeReduction(state, this.#reduction);
  }
}

function messagesOf(items: readonly PlacedMessage[]): readonly ChatMessage[] {
  return Object.freeze(items.map(({ message }) => message));
}
