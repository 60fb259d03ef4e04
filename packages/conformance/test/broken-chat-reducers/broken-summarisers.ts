import type { ChatMessage, ChatResponse, ReduceOptions, ReduceResult } from '@minne/core';
import { ReferenceSummarizingReducer, userMessage } from '../reference-summarizing-reducer.js';

/** Has a summary written before it looks whether it needs one. */
export class AsksInAnyCase extends ReferenceSummarizingReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    options.signal?.throwIfAborted();
    try {
      await this.ask(JSON.stringify(messages), options);
    } catch {
      options.signal?.throwIfAborted();
    }
    return super.reduce(messages, options);
  }
}

/** Leaves the oldest messages out of what it tells the summariser. */
export class LeavesOutTheOldest extends ReferenceSummarizingReducer {
  protected override summarise(removed: readonly ChatMessage[], options: ReduceOptions) {
    return super.summarise(removed.slice(3), options);
  }
}

/** Tells less when it was too much, and removes all the same. */
export class TellsLessAndRemovesAll extends ReferenceSummarizingReducer {
  protected override async summarise(
    removed: readonly ChatMessage[],
    options: ReduceOptions,
  ): Promise<string> {
    for (let told = removed; ; told = told.slice(Math.ceil(told.length / 2))) {
      try {
        return await super.summarise(told, options);
      } catch (error) {
        if (told.length < 4 || !String(error).includes('too long')) throw error;
      }
    }
  }
}

/** Has parts summarised, and goes on when one of them fails. */
export class SkipsWhatFails extends ReferenceSummarizingReducer {
  protected override async summarise(
    removed: readonly ChatMessage[],
    options: ReduceOptions,
  ): Promise<string> {
    const half = Math.ceil(removed.length / 2);
    const parts = [removed.slice(0, half), removed.slice(half)];
    const texts = await Promise.allSettled(parts.map((part) => super.summarise(part, options)));
    const written = texts.flatMap((text) => (text.status === 'fulfilled' ? [text.value] : []));
    options.signal?.throwIfAborted();
    if (written.length === 0) throw new Error('There is no summary.');
    return written.at(-1) ?? '';
  }
}

/** Removes what was to be summarised when the summariser fails. */
export class RemovesOnFailure extends ReferenceSummarizingReducer {
  protected override failed(
    messages: readonly ChatMessage[],
    shorter: ReduceResult,
    error: unknown,
  ): ReduceResult {
    return { ...shorter, warnings: super.failed(messages, shorter, error).warnings };
  }
}

/** Says nothing when the summariser fails. */
export class FailsSilently extends ReferenceSummarizingReducer {
  protected override failed(messages: readonly ChatMessage[]): ReduceResult {
    return this.unchanged(messages);
  }
}

/** Fails with the summariser. */
export class ThrowsOnFailure extends ReferenceSummarizingReducer {
  protected override failed(
    _messages: readonly ChatMessage[],
    _shorter: ReduceResult,
    error: unknown,
  ): ReduceResult {
    throw error;
  }
}

/** Takes the beginning of a summary for the whole. */
export class AcceptsCutSummaries extends ReferenceSummarizingReducer {
  protected override textOf(response: ChatResponse): string {
    const { finishReason } = response;
    return super.textOf(
      finishReason === 'length' ? { ...response, finishReason: 'stop' } : response,
    );
  }
}

/** Takes silence for a summary. */
export class AcceptsEmptySummaries extends ReferenceSummarizingReducer {
  protected override textOf(response: ChatResponse): string {
    return response.finishReason === 'stop'
      ? JSON.stringify(response.messages)
      : super.textOf(response);
  }
}

/** Takes a refusal for a summary. */
export class AcceptsRefusals extends ReferenceSummarizingReducer {
  protected override textOf(response: ChatResponse): string {
    return response.finishReason === 'content_filter' ? 'I cannot.' : super.textOf(response);
  }
}

/** Waits for a summary as long as it takes. */
export class WaitsForEver extends ReferenceSummarizingReducer {
  protected override ask(text: string, options: ReduceOptions) {
    return this.parts.chatClient.getResponse([userMessage(text)], options);
  }
}

/** Does not stop when it is told to while it waits. */
export class WaitsThroughAborts extends ReferenceSummarizingReducer {
  protected override ask(text: string) {
    return super.ask(text, {});
  }

  override async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    options.signal?.throwIfAborted();
    return super.reduce(messages);
  }
}
