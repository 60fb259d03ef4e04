import type {
  ChatClient,
  ChatMessage,
  ChatOptions,
  ChatResponse,
  ChatResponseUpdate,
} from '@minne/core';

/** How a summariser answers. */
export type SummariserReply =
  | { readonly kind: 'summary'; readonly text?: string }
  | { readonly kind: 'error' | 'refusal' | 'nothing' | 'cut' | 'stall' };

/** A model that writes summaries, or does not, as it is told. */
export class ScriptedSummariser implements ChatClient {
  readonly specificationVersion = 'v1' as const;
  readonly historyStorage = 'none' as const;
  /** How it answers from now on. */
  reply: SummariserReply = { kind: 'summary' };
  /** All text that it was sent in calls that went well. */
  readonly read: string[] = [];
  calls = 0;

  async getResponse(
    messages: readonly ChatMessage[],
    { signal }: ChatOptions = {},
  ): Promise<ChatResponse> {
    this.calls += 1;
    signal?.throwIfAborted();
    switch (this.reply.kind) {
      case 'error':
        throw new Error('The summariser is down.');
      case 'stall':
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
      case 'nothing':
        return { messages: [{ role: 'assistant', contents: ' ' }], finishReason: 'stop' };
      case 'refusal':
        return { messages: [{ role: 'assistant', contents: [] }], finishReason: 'content_filter' };
      case 'cut':
        return {
          messages: [{ role: 'assistant', contents: 'They spoke' }],
          finishReason: 'length',
        };
      case 'summary':
        this.read.push(JSON.stringify(messages));
        return {
          messages: [{ role: 'assistant', contents: this.reply.text ?? 'They spoke of rivers.' }],
          finishReason: 'stop',
          modelId: 'scripted',
        };
    }
  }

  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options?: ChatOptions,
  ): AsyncGenerator<ChatResponseUpdate, void> {
    const { messages: answers, ...rest } = await this.getResponse(messages, options);
    for (const { contents } of answers) {
      const parts =
        typeof contents === 'string' ? [{ type: 'text' as const, text: contents }] : contents;
      yield { contents: parts };
    }
    yield { contents: [], ...rest };
  }
}
