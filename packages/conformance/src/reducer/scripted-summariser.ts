import type {
  ChatClient,
  ChatMessage,
  ChatOptions,
  ChatResponse,
  ChatResponseUpdate,
} from '@minne/core';

/** How a summariser answers. */
export type SummariserReply =
  | {
      readonly kind: 'summary';
      readonly text?: string;
      /** Characters that it reads in one call; it rejects more. Default: any number. */
      readonly accepts?: number;
    }
  | { readonly kind: 'error' | 'refusal' | 'nothing' | 'cut' | 'stall' };

/** A model that writes summaries, or does not, as it is told. */
export class ScriptedSummariser implements ChatClient {
  readonly specificationVersion = 'v1' as const;
  readonly historyStorage = 'none' as const;
  /** How it answers from now on. */
  reply: SummariserReply = { kind: 'summary' };
  /** Which calls fail whatever `reply` says, counted from 1. */
  failsAt: (call: number) => boolean = () => false;
  /** All text that it was sent in calls that went well. */
  readonly read: string[] = [];
  calls = 0;

  async getResponse(
    messages: readonly ChatMessage[],
    { signal }: ChatOptions = {},
  ): Promise<ChatResponse> {
    this.calls += 1;
    signal?.throwIfAborted();
    if (this.failsAt(this.calls)) throw new Error('The summariser is down.');
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
        return this.#summary(JSON.stringify(messages), this.reply);
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

  #summary(
    sent: string,
    { text = 'They spoke of rivers.', accepts }: SummariserReply & { readonly kind: 'summary' },
  ): ChatResponse {
    if (accepts !== undefined && sent.length > accepts) throw new Error('That is too long.');
    this.read.push(sent);
    return {
      messages: [{ role: 'assistant', contents: text }],
      finishReason: 'stop',
      modelId: 'scripted',
    };
  }
}
