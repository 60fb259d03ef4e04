import type { ChatMessage, Content, ReduceOptions, ReduceResult, TokenCounter } from '@minne/core';
import { ReferenceChatReducer, turnsOf } from './reference-chat-reducer.js';

const budget = 1500;

/** A correct reducer: as many of the newest turns as fit a number of tokens. */
export class ReferenceTokenReducer extends ReferenceChatReducer {
  override readonly id: string = 'reference_tokens';
  readonly tokenCounter: TokenCounter = this.parts.tokenCounter;
  readonly #counted = new WeakMap<Content, number>();

  override async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    const result = await super.reduce(messages, options);
    return this.isOver(result.messages, options)
      ? { ...result, warnings: [{ code: 'budget_unmet', message: 'This is the least.' }] }
      : result;
  }

  protected override start(messages: readonly ChatMessage[], options: ReduceOptions): number {
    if (!this.isOver(messages, options)) return 0;
    const turns = turnsOf(messages);
    const left = budget - (options.fixedTokens ?? 0);
    let [cost, end, start] = [0, messages.length, turns.at(-1) ?? 0];
    for (const turn of turns.toReversed()) {
      cost += this.cost(messages.slice(turn, end));
      if (cost > left) break;
      end = turn;
      start = turn;
    }
    return start;
  }

  protected isOver(messages: readonly ChatMessage[], { fixedTokens = 0 }: ReduceOptions): boolean {
    return this.cost(messages) + fixedTokens > budget;
  }

  protected count(content: Content): number {
    const known = this.#counted.get(content) ?? this.parts.tokenCounter.count(content);
    this.#counted.set(content, known);
    return known;
  }

  protected cost(messages: readonly ChatMessage[]): number {
    return messages
      .flatMap(({ contents }) => contents)
      .reduce((sum, content) => sum + this.count(content), 0);
  }
}
