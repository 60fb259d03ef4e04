import { setTimeout as delay } from 'node:timers/promises';
import type { ChatMessage, ReduceOptions, ReduceResult } from '@minne/core';
import { ReferenceChatReducer } from '../reference-chat-reducer.js';

/** Cannot do with an empty history. */
export class NeedsAMessage extends ReferenceChatReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    if (messages.length === 0) throw new Error('There is no message.');
    return super.reduce(messages, options);
  }
}

/** Takes two messages with the same words for one. */
export class ComparesTexts extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    const said = new Set<string>();
    for (const index of [...kept].toSorted((a, b) => a - b)) {
      const { role, contents = [] } = messages[index] ?? {};
      const text = JSON.stringify(contents);
      if (role === 'user' && contents.some(({ type }) => type === 'text') && said.has(text)) {
        kept.delete(index);
      }
      said.add(text);
    }
    return kept;
  }
}

/** Chokes on a file. */
export class ReadsTextOnly extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    for (const { contents } of messages) {
      if (contents.some(({ type }) => type === 'data')) throw new Error('This is no text.');
    }
    return super.choose(messages, options);
  }
}

/** Never looks at the signal. */
export class IgnoresTheSignal extends ReferenceChatReducer {
  override async reduce(messages: readonly ChatMessage[]): Promise<ReduceResult> {
    return super.reduce(messages);
  }
}

/** Gives back what it was given when it is told to stop. */
export class SwallowsTheAbort extends ReferenceChatReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    if (options.signal?.aborted) return this.divide(messages, new Set(messages.keys()));
    return super.reduce(messages, options);
  }
}

/** Keeps what it is working on in itself. */
export class SharesItsWork extends ReferenceChatReducer {
  #messages: readonly ChatMessage[] = [];

  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    options?.signal?.throwIfAborted();
    this.#messages = messages;
    await delay(0);
    return super.reduce(this.#messages, options);
  }
}

/** Removes less once it has removed something. */
export class RemembersEarlierCalls extends ReferenceChatReducer {
  #calls = 0;

  protected override start(messages: readonly ChatMessage[], options: ReduceOptions): number {
    this.#calls += 1;
    return this.#calls > 1 && messages.length > 100 ? 0 : super.start(messages, options);
  }
}

/** Looks at all messages for each of them. */
export class LooksTooOften extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    for (let index = 0; index < messages.length; index += 3) {
      const place = messages.findIndex(({ id }) => id === messages[index]?.id);
      if (place < 0) kept.delete(index);
    }
    return kept;
  }
}
