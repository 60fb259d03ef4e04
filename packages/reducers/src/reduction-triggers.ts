import { type ChatMessage, countMessages, type TokenCounter } from '@minne/core';
import { cachedTokenCounter } from './cached-token-counter.js';
import { estimatedTokenCounter } from './estimated-token-counter.js';
import { countConversation } from './message-counting-reducer.js';
import { wholeNumber, wrongOption } from './options.js';
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
  /** What it counts tokens with, when it does. `fixedTokens` are counted with it, too. */
  readonly tokenCounter?: TokenCounter;
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
  const cachedCounter = cachedTokenCounter(tokenCounter);
  return {
    description: `more than ${count} tokens`,
    tokenCounter: cachedCounter,
    holds: ({ messages, fixedTokens }) =>
      fixedTokens + countMessages(messages, cachedCounter) > count,
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

/** Holds when each of them holds. @throws ConfigurationError when one is no trigger. */
export function all(...triggers: readonly ReductionTrigger[]): ReductionTrigger {
  for (const trigger of triggers) checkTrigger(trigger, 'all');
  return {
    ...firstCounter(triggers),
    description: joined(triggers, ' and '),
    holds: (input) => triggers.every((trigger) => trigger.holds(input)),
  };
}

/** Holds when at least one of them holds. @throws ConfigurationError when one is no trigger. */
export function any(...triggers: readonly ReductionTrigger[]): ReductionTrigger {
  for (const trigger of triggers) checkTrigger(trigger, 'any');
  return {
    ...firstCounter(triggers),
    description: joined(triggers, ' or '),
    holds: (input) => triggers.some((trigger) => trigger.holds(input)),
  };
}

/** Holds when it does not. @throws ConfigurationError when it is no trigger. */
export function not(trigger: ReductionTrigger): ReductionTrigger {
  checkTrigger(trigger, 'not');
  return {
    ...firstCounter([trigger]),
    description: `not ${trigger.description}`,
    holds: (input) => !trigger.holds(input),
  };
}

/** @throws ConfigurationError when something is no trigger. */
export function checkTrigger(trigger: ReductionTrigger, field: string): void {
  if (typeof trigger?.holds === 'function') return;
  throw wrongOption(field, 'takes a trigger, such as messagesOver(40), and was given none.');
}

/** The counter of the first of them that has one, as a member. */
export function firstCounter(counting: readonly { readonly tokenCounter?: TokenCounter }[]): {
  readonly tokenCounter?: TokenCounter;
} {
  for (const { tokenCounter } of counting) if (tokenCounter !== undefined) return { tokenCounter };
  return {};
}

function joined(triggers: readonly ReductionTrigger[], word: string): string {
  return `(${triggers.map(({ description }) => description).join(word)})`;
}
