import { type ChatMessage, isSystem, type ReduceOptions } from '@minne/core';
import { ReferenceChatReducer } from '../reference-chat-reducer.js';

/** Never does anything. */
export class DoesNothing extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[]): Set<number> {
    return new Set(messages.keys());
  }
}

/** Cuts at a number of messages, whatever stands there. */
export class CutsAnywhere extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[]): Set<number> {
    const system = [...messages.keys()].filter((index) => isKept(messages, index, isSystem));
    return new Set([...[...messages.keys()].slice(-9), ...system]);
  }
}

/** Parts a call from its result when they do not stand side by side. */
export class PairsByAdjacency extends ReferenceChatReducer {
  protected override readonly grouping = { open: 'adjacent' } as const;
}

/** Gives a result to the newest call with its id, though an older one has none. */
export class PairsByTheNewestCall extends ReferenceChatReducer {
  protected override readonly grouping = { open: 'newest' } as const;
}

/** Leaves what was thought before a call apart from it. */
export class PartsThoughtsFromCalls extends ReferenceChatReducer {
  protected override readonly grouping = { reasoning: false };

  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    const last = messages.findLastIndex(
      ({ role, contents }) =>
        role === 'assistant' &&
        contents.length > 0 &&
        contents.every(({ type }) => type === 'reasoning'),
    );
    kept.delete(last);
    return kept;
  }
}

/** Takes what a person consented to for nothing that was said. */
export class DropsConsent extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    if (kept.size === messages.length) return kept;
    return without(kept, messages, ({ contents }) =>
      contents.some(({ type }) => type === 'approval_response'),
    );
  }
}

/** Keeps one result of a message with several calls. */
export class DropsParallelResults extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    if (kept.size === messages.length) return kept;
    const isSecond = (message: ChatMessage, index: number): boolean =>
      message.role === 'tool' && messages[index - 1]?.role === 'tool';
    return new Set([...kept].filter((index) => !isKept(messages, index, isSecond)));
  }
}

/** Lets system messages go. */
export class DropsSystemMessages extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const start = this.start(messages, options);
    const isOld = (message: ChatMessage, index: number): boolean =>
      message.role === 'system' && index < start;
    return without(super.choose(messages, options), messages, isOld);
  }
}

/** Takes what developers say for a part of the conversation. */
export class DropsDeveloperMessages extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const start = this.start(messages, options);
    const isOld = (message: ChatMessage, index: number): boolean =>
      message.role === 'developer' && index < start;
    return without(super.choose(messages, options), messages, isOld);
  }
}

/** Leaves nothing but system messages of what is too long. */
export class LeavesNothing extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    if (kept.size === messages.length) return kept;
    return without(kept, messages, (message) => !isSystem(message));
  }
}

/** Lets results that nothing asked for stand at the beginning. */
export class BeginsWithResults extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    const first = messages.findIndex((message) => !isSystem(message));
    if (messages[first]?.role === 'tool') kept.add(first);
    return kept;
  }
}

/** Begins with an answer when the question before it is old enough. */
export class BeginsWithAnswers extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    if (kept.size === messages.length) return kept;
    const start = this.start(messages, options);
    return without(kept, messages, ({ role }, index) => role === 'user' && index <= start);
  }
}

/** Keeps the newest calls, and not the question that they are for. */
export class LosesTheQuestion extends ReferenceChatReducer {
  protected override start(messages: readonly ChatMessage[], options: ReduceOptions): number {
    const start = super.start(messages, options);
    return messages.length - start < 60 ? start : messages.length - 40;
  }

  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    if (messages.length - super.start(messages, options) < 60) return kept;
    const question = messages.findLastIndex(({ role }) => role === 'user');
    kept.delete(question);
    return kept;
  }
}

/** Keeps the newest calls, and not the one before them that waits for a person. */
export class RemovesWhatWaits extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const kept = super.choose(messages, options);
    const answered = new Set<string>();
    for (const { contents } of messages) {
      for (const content of contents) {
        if (content.type === 'approval_response') answered.add(content.id);
      }
    }
    return without(kept, messages, ({ contents }, index) => {
      const waits = contents.some(
        (content) => content.type === 'approval_request' && !answered.has(content.id),
      );
      return waits && index < messages.length - 20;
    });
  }
}

/** Keeps the oldest instead of the newest. */
export class KeepsTheOldest extends ReferenceChatReducer {
  protected override choose(messages: readonly ChatMessage[], options: ReduceOptions): Set<number> {
    const end = messages.findLastIndex(({ role }) => role === 'user');
    const kept = super.choose(messages, options);
    if (kept.size === messages.length || end < 0) return kept;
    return without(kept, messages, (message, index) => index >= end && !isSystem(message));
  }
}

/** Takes half of what there is, each time. */
export class TakesHalf extends ReferenceChatReducer {
  protected override start(messages: readonly ChatMessage[], options: ReduceOptions): number {
    const half = Math.floor(messages.length / 2);
    const turn = messages.findIndex(({ role }, index) => role === 'user' && index >= half);
    return Math.min(Math.max(turn, 0), super.start(messages, options));
  }
}

type Judge = (message: ChatMessage, index: number) => boolean;

function isKept(messages: readonly ChatMessage[], index: number, judge: Judge): boolean {
  const message = messages[index];
  return message !== undefined && judge(message, index);
}

function without(
  kept: ReadonlySet<number>,
  messages: readonly ChatMessage[],
  judge: Judge,
): Set<number> {
  return new Set([...kept].filter((index) => !isKept(messages, index, judge)));
}
