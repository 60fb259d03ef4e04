import type { ChatMessage, ReduceOptions, ReduceResult } from '@minne/core';
import { isSystem, ReferenceChatReducer } from './reference-chat-reducer.js';

/** Says that it keeps a contract that is not this one. */
export class KeepsAnotherContract extends ReferenceChatReducer {
  override readonly specificationVersion: 'v1' = JSON.parse('"v0"');
}

/** Never does anything. */
export class DoesNothing extends ReferenceChatReducer {
  protected override start(): number {
    return 0;
  }
}

/** Copies what it leaves as it is. */
export class CopiesAlways extends ReferenceChatReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    const result = await super.reduce(messages, options);
    return { ...result, messages: [...result.messages] };
  }
}

/** Cuts at a number of messages, whatever stands there. */
export class CutsAnywhere extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[]): Set<number> {
    const kept = messages.map((_, index) => index).slice(-9);
    const system = messages.flatMap((message, index) => (isSystem(message) ? [index] : []));
    return new Set([...kept, ...system]);
  }
}

/** Lets system messages go. */
export class DropsSystemMessages extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[]): Set<number> {
    const kept = super.choose(messages);
    const start = this.start(messages);
    return new Set([...kept].filter((index) => index >= start));
  }
}

/** Takes half of what there is, each time. */
export class TakesHalf extends ReferenceChatReducer {
  protected override start(messages: readonly ChatMessage[]): number {
    return Math.floor(messages.length / 2);
  }
}

/** Keeps the oldest instead of the newest. */
export class KeepsTheOldest extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[]): Set<number> {
    return new Set(messages.map((_, index) => index).slice(0, 6));
  }
}

/** Takes the array that it is given apart. */
export class TakesTheArrayApart extends ReferenceChatReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    const result = await super.reduce([...messages], options);
    if (Array.isArray(messages)) messages.splice(0, result.removed.length);
    return result;
  }
}

/** Never looks at the signal. */
export class IgnoresTheSignal extends ReferenceChatReducer {
  override async reduce(messages: readonly ChatMessage[]): Promise<ReduceResult> {
    return super.reduce(messages);
  }
}
