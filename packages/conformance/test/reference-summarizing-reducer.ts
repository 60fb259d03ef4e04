import {
  type ChatMessage,
  type ChatResponse,
  isJsonObject,
  type JsonObject,
  type ReduceOptions,
  type ReduceResult,
  summaryMetadataKey,
} from '@minne/core';
import { ReferenceChatReducer } from './reference-chat-reducer.js';

/** Milliseconds that a summariser may take. */
const patience = 1000;

/** A correct reducer: the newest three turns, and a summary of those before. */
export class ReferenceSummarizingReducer extends ReferenceChatReducer {
  override readonly id: string = 'reference_summary';

  override async reduce(
    messages: readonly ChatMessage[],
    options: ReduceOptions = {},
  ): Promise<ReduceResult> {
    const shorter = await super.reduce(messages, options);
    // Lost results at the very front are no beginning, and not worth a summary.
    if (shorter.removed.every(({ role }) => role === 'tool')) return shorter;
    if (!this.isWorthwhile(shorter.removed)) return this.unchanged(messages);
    try {
      const text = await this.summarise(shorter.removed, options);
      return this.replaced(messages, shorter, this.summaryOf(text, shorter.removed));
    } catch (error) {
      options.signal?.throwIfAborted();
      return this.failed(messages, shorter, error);
    }
  }

  /** A summary of one message, or of a summary, makes nothing smaller. */
  protected isWorthwhile(removed: readonly ChatMessage[]): boolean {
    return removed.length > 1;
  }

  protected async summarise(
    removed: readonly ChatMessage[],
    options: ReduceOptions,
  ): Promise<string> {
    return this.textOf(await this.ask(JSON.stringify(removed), options));
  }

  protected async ask(text: string, { signal }: ReduceOptions): Promise<ChatResponse> {
    const deadline = AbortSignal.timeout(patience);
    return this.parts.chatClient.getResponse([userMessage(text)], {
      signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
    });
  }

  /** @throws Error when the answer is no summary. */
  protected textOf({ messages, finishReason }: ChatResponse): string {
    const text = messages.map(({ contents }) => textIn(contents)).join('');
    if (finishReason !== 'stop' || text.trim() === '') throw new Error('There is no summary.');
    return text;
  }

  protected summaryOf(text: string, removed: readonly ChatMessage[]): ChatMessage {
    return {
      ...userMessage(this.quoted(text)),
      metadata: { [summaryMetadataKey]: this.range(removed) },
    };
  }

  protected quoted(text: string): string {
    return `What was said before:\n<summary>\n${text.replaceAll('<', '&lt;')}\n</summary>`;
  }

  protected range(removed: readonly ChatMessage[]): JsonObject {
    const ranges = removed.map((message) => rangeOf(message));
    const count = ranges.reduce((sum, range) => sum + Number(range['count']), 0);
    return { from: ranges[0]?.['from'] ?? '', to: ranges.at(-1)?.['to'] ?? '', count };
  }

  protected replaced(
    before: readonly ChatMessage[],
    { messages, removed }: ReduceResult,
    summary: ChatMessage,
  ): ReduceResult {
    const left = [...messages];
    left.splice(this.placeOf(before, removed), 0, summary);
    const report = this.report({ kept: messages.length, summarised: removed.length });
    return { messages: left, removed, summary, reports: [report], warnings: [] };
  }

  protected placeOf(before: readonly ChatMessage[], removed: readonly ChatMessage[]): number {
    const last = removed.at(-1);
    return last === undefined ? 0 : before.indexOf(last) + 1 - removed.length;
  }

  protected failed(
    messages: readonly ChatMessage[],
    _shorter: ReduceResult,
    error: unknown,
  ): ReduceResult {
    const warning = { code: 'summary_failed', message: `There is no summary: ${String(error)}` };
    return { ...this.unchanged(messages), warnings: [warning] };
  }

  protected unchanged(messages: readonly ChatMessage[]): ReduceResult {
    const report = this.report({ kept: messages.length });
    return { messages, removed: [], reports: [report], warnings: [] };
  }
}

export function userMessage(text: string): ChatMessage {
  return {
    id: crypto.randomUUID(),
    role: 'user',
    contents: [{ type: 'text', text }],
    createdAt: new Date().toISOString(),
  };
}

function textIn(contents: ChatResponse['messages'][number]['contents']): string {
  if (typeof contents === 'string') return contents;
  return contents.map((content) => (content.type === 'text' ? content.text : '')).join('');
}

/** What a message covers: itself, or what it is the summary of. */
function rangeOf({ id, metadata }: ChatMessage): JsonObject {
  const range = metadata?.[summaryMetadataKey];
  return isJsonObject(range) ? range : { from: id, to: id, count: 1 };
}
