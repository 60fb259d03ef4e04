import type { ChatMessage, TokenCounter } from '@minne/core';
import { estimatedTokenCounter } from './estimated-token-counter.js';
import { countConversation } from './message-counting-reducer.js';
import { countMessages } from './message-tokens.js';
import { wholeNumber } from './reduction.js';
import { turnStarts } from './sliding-window-reducer.js';

/** What a trigger looks at. */
export interface TriggerInput {
  readonly messages: readonly ChatMessage[];
  /** Tokens of what is sent beside the messages. */
  readonly fixedTokens: number;
}

/** Says when a step of a pipeline is taken. */
export interface ReductionTrigger {
  /** Says in a few words what it waits for, such as `more than 40 messages`. */
  readonly description: string;
  holds(input: TriggerInput): boolean;
}

/** Holds when there are more than so many messages, system ones not counted. */
export function messagesOver(count: number): ReductionTrigger {
  wholeNumber(count, 'messagesOver', 0);
  return {
    description: `more than ${count} messages`,
    holds: ({ messages }) => countConversation(messages) > count,
  };
}

/** Holds when there are more than so many turns, each begun by the user. */
export function turnsOver(count: number): ReductionTrigger {
  wholeNumber(count, 'turnsOver', 0);
  return {
    description: `more than ${count} turns`,
    holds: ({ messages }) => turnStarts(messages).length > count,
  };
}

/**
 * Holds when messages and what is sent beside them cost more than so many tokens.
 * @param tokenCounter - Default: `estimatedTokenCounter`.
 */
export function tokensOver(
  count: number,
  tokenCounter: TokenCounter = estimatedTokenCounter,
): ReductionTrigger {
  wholeNumber(count, 'tokensOver', 0);
  return {
    description: `more than ${count} tokens`,
    holds: ({ messages, fixedTokens }) =>
      fixedTokens + countMessages(messages, tokenCounter) > count,
  };
}

/** Holds when there are more than so many tool calls. */
export function toolCallsOver(count: number): ReductionTrigger {
  wholeNumber(count, 'toolCallsOver', 0);
  return {
    description: `more than ${count} tool calls`,
    holds: ({ messages }) => {
      let calls = 0;
      for (const { contents } of messages) {
        for (const { type } of contents) if (type === 'tool_call') calls += 1;
      }
      return calls > count;
    },
  };
}

/** Holds when each of them holds. */
export function all(...triggers: readonly ReductionTrigger[]): ReductionTrigger {
  return {
    description: joined(triggers, ' and '),
    holds: (input) => triggers.every((trigger) => trigger.holds(input)),
  };
}

/** Holds when at least one of them holds. */
export function any(...triggers: readonly ReductionTrigger[]): ReductionTrigger {
  return {
    description: joined(triggers, ' or '),
    holds: (input) => triggers.some((trigger) => trigger.holds(input)),
  };
}

/** Holds when it does not. */
export function not(trigger: ReductionTrigger): ReductionTrigger {
  return {
    description: `not ${trigger.description}`,
    holds: (input) => !trigger.holds(input),
  };
}

function joined(triggers: readonly ReductionTrigger[], word: string): string {
  return `(${triggers.map(({ description }) => description).join(word)})`;
}
