import { setTimeout as delay } from 'node:timers/promises';
import type {
  ChatClient,
  ChatMessage,
  ChatOptions,
  ChatResponse,
  ChatResponseUpdate,
} from '@minne/core';
import { messageText } from '@minne/core';

/** How a {@link Summariser} behaves. */
export interface SummariserOptions {
  readonly text?: string;
  readonly modelId?: string;
  /** Which calls fail, counted from 0. */
  readonly failAt?: (call: number) => boolean;
  /** Milliseconds that it takes, whatever its signal says. */
  readonly takes?: number;
  /** The most characters that it accepts. */
  readonly accepts?: number;
  readonly response?: Partial<ChatResponse>;
}

/** A model that plays a summariser, and keeps what it was asked. */
export class Summariser implements ChatClient {
  readonly specificationVersion = 'v1' as const;
  readonly historyStorage = 'none' as const;
  readonly asked: { readonly text: string; readonly options: ChatOptions }[] = [];
  /** The texts of calls that went well. */
  readonly told: string[] = [];
  readonly #options: SummariserOptions;

  constructor(options: SummariserOptions = {}) {
    this.#options = options;
  }

  async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    const { text = 'They spoke.', modelId, failAt, takes, accepts, response } = this.#options;
    const sent = messages.map(messageText).join('\n');
    const call = this.asked.push({ text: sent, options }) - 1;
    if (takes !== undefined) await delay(takes);
    if (failAt?.(call) === true) throw new Error('The summariser is down.');
    if (sent.length > (accepts ?? Number.POSITIVE_INFINITY)) throw new Error('That is too long.');
    this.told.push(sent);
    return {
      messages: [{ role: 'assistant', contents: text }],
      finishReason: 'stop',
      ...(modelId === undefined ? {} : { modelId }),
      ...response,
    };
  }

  async *getStreamingResponse(): AsyncGenerator<ChatResponseUpdate, void> {
    yield await Promise.reject(new Error('A summary is not streamed.'));
  }
}
