import {
  type ChatMessage,
  isSummary,
  type JsonObject,
  type ReduceOptions,
  type ReduceResult,
} from '@minne/core';
import { ReferenceSummarizingReducer } from '../reference-summarizing-reducer.js';

/** Makes the summary a message of the system. */
export class SpeaksAsSystem extends ReferenceSummarizingReducer {
  protected override summaryOf(text: string, removed: readonly ChatMessage[]): ChatMessage {
    return { ...super.summaryOf(text, removed), role: 'system' };
  }
}

/** Makes the summary something that the model has said itself. */
export class SpeaksAsAssistant extends ReferenceSummarizingReducer {
  protected override summaryOf(text: string, removed: readonly ChatMessage[]): ChatMessage {
    return { ...super.summaryOf(text, removed), role: 'assistant' };
  }
}

/** Puts the summary as if the user had said it. */
export class DoesNotQuote extends ReferenceSummarizingReducer {
  protected override quoted(text: string): string {
    return text;
  }
}

/** Quotes the summary, but lets it close the quotation. */
export class DoesNotEscape extends ReferenceSummarizingReducer {
  protected override quoted(text: string): string {
    return `What was said before:\n<summary>\n${text}\n</summary>`;
  }
}

/** Does not say what the summary covers. */
export class TellsNoRange extends ReferenceSummarizingReducer {
  protected override range(): JsonObject {
    return { model: 'scripted' };
  }
}

/** Counts an earlier summary as one message. */
export class CountsASummaryAsOne extends ReferenceSummarizingReducer {
  protected override range(removed: readonly ChatMessage[]): JsonObject {
    return { ...super.range(removed), count: removed.length };
  }
}

/** Does not mark the summary, so that nobody knows it again. */
export class DoesNotMarkSummaries extends ReferenceSummarizingReducer {
  protected override summaryOf(text: string, removed: readonly ChatMessage[]): ChatMessage {
    return { ...super.summaryOf(text, removed), metadata: { summarised: removed.length } };
  }
}

/** Puts the summary at the end. */
export class PutsTheSummaryLast extends ReferenceSummarizingReducer {
  protected override placeOf(before: readonly ChatMessage[], removed: readonly ChatMessage[]) {
    return before.length - removed.length;
  }
}

/** Leaves earlier summaries out of what it has summarised. */
export class LosesEarlierSummaries extends ReferenceSummarizingReducer {
  protected override summarise(removed: readonly ChatMessage[], options: ReduceOptions) {
    return super.summarise(
      removed.filter((message) => !isSummary(message)),
      options,
    );
  }
}

/** Has summaries of a summary written for ever. */
export class SummarisesSummaries extends ReferenceSummarizingReducer {
  protected override isWorthwhile(removed: readonly ChatMessage[]): boolean {
    return removed.length > 0;
  }
}

/** Counts on a message that is no summary. */
export class NeedsSomethingElse extends ReferenceSummarizingReducer {
  override async reduce(
    messages: readonly ChatMessage[],
    options?: ReduceOptions,
  ): Promise<ReduceResult> {
    const others = messages.filter((message) => !isSummary(message));
    if (messages.length > 1 && others.length === 0) throw new RangeError('There is nothing.');
    return super.reduce(messages, options);
  }
}
