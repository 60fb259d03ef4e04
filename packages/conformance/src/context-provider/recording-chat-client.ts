import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ChatClient,
  ChatClientError,
  type ChatMessage,
  type ChatOptions,
  type ChatResponse,
  type ChatResponseUpdate,
  type Content,
} from '@minne/core';

/** What the model was sent. */
export interface ModelRequest {
  readonly instructions: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly string[];
}

/** What the model does next: answers with these contents, fails, or says nothing until it is stopped. */
export type ModelAnswer = readonly Content[] | 'fail' | 'stall';

/** What the model answers when nothing else is scripted. */
export const usualAnswer = 'I see.';

/** A model that does as it is told and remembers what it was sent. */
export class RecordingChatClient implements ChatClient {
  readonly specificationVersion = 'v1' as const;
  readonly historyStorage = 'none' as const;
  readonly requests: ModelRequest[] = [];
  readonly #script: ModelAnswer[] = [];

  /** Adds to what the model will do. When there is nothing left, it gives the usual answer. */
  script(...answers: readonly ModelAnswer[]): void {
    this.#script.push(...answers);
  }

  async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    const contents = await this.#answer(messages, options);
    return { messages: [{ role: 'assistant', contents }] };
  }

  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    for (const content of await this.#answer(messages, options)) yield { contents: [content] };
  }

  async #answer(
    messages: readonly ChatMessage[],
    { instructions = '', tools = [], signal }: ChatOptions,
  ): Promise<readonly Content[]> {
    const names = tools.map(({ name }) => name);
    this.requests.push(structuredClone({ instructions, messages, tools: names }));
    const answer = this.#script.shift() ?? [{ type: 'text', text: usualAnswer }];
    // Lets other runs go on in between.
    await nextTurn();
    if (answer === 'fail') throw new ChatClientError('The model fails, as scripted.');
    if (answer === 'stall') return new Promise((_, reject) => rejectOnAbort(signal, reject));
    return answer;
  }
}

function rejectOnAbort(signal: AbortSignal | undefined, reject: (reason: unknown) => void): void {
  if (signal?.aborted === true) reject(signal.reason);
  signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
}
