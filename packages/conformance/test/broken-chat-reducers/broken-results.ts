import type { ChatMessage, ReduceOptions, ReduceResult } from '@minne/core';
import { ReferenceChatReducer } from '../reference-chat-reducer.js';

/** Makes something else of every result. */
abstract class ChangedResult extends ReferenceChatReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    const result = await super.reduce(messages, options);
    return result.removed.length === 0
      ? this.unreduced(result, messages)
      : this.reduced(result, messages);
  }

  protected reduced(result: ReduceResult, _before: readonly ChatMessage[]): ReduceResult {
    return result;
  }

  protected unreduced(result: ReduceResult, _before: readonly ChatMessage[]): ReduceResult {
    return result;
  }
}

/** Says that it keeps a contract that is not this one. */
export class KeepsAnotherContract extends ReferenceChatReducer {
  override readonly specificationVersion: 'v1' = JSON.parse('"v0"');
}

/** Has another id in every instance. */
export class NamesItselfAtRandom extends ReferenceChatReducer {
  override readonly id = `reference_${crypto.randomUUID().replaceAll('-', '')}`;
}

/** Copies the array that it leaves as it is. */
export class CopiesTheArray extends ChangedResult {
  protected override unreduced(result: ReduceResult): ReduceResult {
    return { ...result, messages: [...result.messages] };
  }
}

/** Gives back copies of the messages that stay. */
export class CopiesMessages extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    return { ...result, messages: result.messages.map((message) => ({ ...message })) };
  }
}

/** Turns round what is left. */
export class Reorders extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    const [first, second, ...others] = result.messages;
    const swapped = [second, first].flatMap((message) => message ?? []);
    return { ...result, messages: [...swapped, ...others] };
  }
}

/** Gives the newest message twice. */
export class GivesAMessageTwice extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    return { ...result, messages: [...result.messages, ...result.messages.slice(-1)] };
  }
}

/** Says nothing of what it removed. */
export class HidesWhatWent extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    return { ...result, removed: [] };
  }
}

/** Says of a message that stays that it was removed. */
export class NamesWhatStays extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    return { ...result, removed: [...result.removed, ...result.messages.slice(-1)] };
  }
}

/** Names what it removed newest first. */
export class NamesTheNewestFirst extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    return { ...result, removed: result.removed.toReversed() };
  }
}

/** Says that it removed something when all is as it was. */
export class NamesWhatNeverWent extends ChangedResult {
  protected override unreduced(result: ReduceResult): ReduceResult {
    return { ...result, removed: result.messages.slice(0, 1) };
  }
}

/** Counts what it left and calls it dropped. */
export class ReportsWrongCounts extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    const report = this.report({ kept: result.removed.length, dropped: result.messages.length });
    return { ...result, reports: [report] };
  }
}

/** Reports nothing. */
export class ReportsNothing extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    return { ...result, reports: [] };
  }
}

/** Writes the messages of the assistant that stay anew. */
abstract class Rewriting extends ChangedResult {
  protected override reduced(result: ReduceResult, before: readonly ChatMessage[]): ReduceResult {
    const messages = result.messages.map((message) =>
      message.role === 'assistant' ? this.rewrite(message) : message,
    );
    const left = new Set(messages);
    return { ...result, messages, removed: before.filter((message) => !left.has(message)) };
  }

  protected abstract rewrite(message: ChatMessage): ChatMessage;
}

/** Gives a message that it shortens an id of its own. */
export class RewritesUnderNewIds extends Rewriting {
  protected override rewrite(message: ChatMessage): ChatMessage {
    return { ...message, id: `short-${message.id}` };
  }
}

/** Leaves out what was thought before a call. */
export class StripsReasoning extends Rewriting {
  protected override rewrite(message: ChatMessage): ChatMessage {
    const contents = message.contents.filter(({ type }) => type !== 'reasoning');
    return contents.length === message.contents.length || contents.length === 0
      ? message
      : { ...message, contents };
  }
}

/** Leaves out what it does not know. */
export class DropsUnknownContents extends Rewriting {
  protected override rewrite(message: ChatMessage): ChatMessage {
    const known = ['text', 'reasoning', 'tool_call', 'approval_request'];
    const contents = message.contents.filter(({ type }) => known.includes(type));
    return contents.length === message.contents.length ? message : { ...message, contents };
  }
}

/** Takes away contents of messages that it was given. */
export class ChangesMessages extends ChangedResult {
  protected override reduced(result: ReduceResult): ReduceResult {
    for (const message of result.messages) Object.assign(message, { metadata: { seen: true } });
    return result;
  }
}

/** Takes the array that it is given apart. */
export class TakesTheArrayApart extends ChangedResult {
  protected override reduced(result: ReduceResult, before: readonly ChatMessage[]): ReduceResult {
    if (Array.isArray(before)) before.splice(0, result.removed.length);
    return result;
  }
}
