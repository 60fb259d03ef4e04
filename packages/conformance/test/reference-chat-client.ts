import {
  type ChatClient,
  ChatClientError,
  type ChatMessage,
  type ChatOptions,
  type ChatResponse,
  type ChatResponseUpdate,
  type Content,
  MinneError,
  type ToolCallDelta,
} from '@minne/core';
import type { WireAnswer } from './reference-chat-service.js';

/** Options of {@link ReferenceChatClient}. */
export interface ReferenceChatOptions {
  readonly url: string;
  readonly historyStorage: ChatClient['historyStorage'];
}

/** A correct client of the reference service, whose parts the broken ones replace. */
export class ReferenceChatClient implements ChatClient {
  readonly specificationVersion: 'v1' = 'v1' as const;
  readonly historyStorage: ChatClient['historyStorage'];
  readonly storesByDefault: boolean = false;
  protected readonly url: string;

  constructor({ url, historyStorage }: ReferenceChatOptions) {
    this.url = url;
    this.historyStorage = historyStorage;
  }

  async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    return this.guarded(options, async () => {
      const response = await this.send(messages, options, false);
      return this.responseOf((await response.json()) as WireAnswer);
    });
  }

  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    let finished = false;
    try {
      const response = await this.send(messages, options, true);
      for await (const line of linesOf(response)) {
        const answer = JSON.parse(line) as WireAnswer;
        finished ||= answer.finish !== undefined;
        yield this.updateOf(answer);
      }
    } catch (error) {
      throw this.failureOf(error, options);
    }
    if (!finished) this.endEarly();
  }

  protected async guarded<T>(options: ChatOptions, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.failureOf(error, options);
    }
  }

  protected async send(
    messages: readonly ChatMessage[],
    options: ChatOptions,
    stream: boolean,
  ): Promise<Response> {
    const { signal = null, ...rest } = options;
    signal?.throwIfAborted();
    const body = JSON.stringify({ ...rest, messages, stream, store: this.stores(options) });
    const response = await fetch(this.url, { method: 'POST', body, signal });
    if (!response.ok) throw this.refusal(response.status, await response.text());
    return response;
  }

  protected stores({ store }: ChatOptions): boolean {
    if (this.historyStorage === 'required') return true;
    return this.historyStorage === 'optional' && (store ?? this.storesByDefault);
  }

  protected refusal(status: number, text: string): Error {
    const retryable = status >= 500;
    return new ChatClientError(`The service answered ${status}: ${text}`, { status, retryable });
  }

  /** The error that a call fails with. */
  protected failureOf(error: unknown, { signal }: ChatOptions): unknown {
    if (signal?.aborted === true) return signal.reason;
    if (MinneError.isInstance(error)) return error;
    return new ChatClientError('The connection to the service broke. Try again.', {
      cause: error,
      retryable: true,
    });
  }

  protected endEarly(): void {
    throw new ChatClientError('The answer is not finished. Try again.', { retryable: true });
  }

  protected responseOf(answer: WireAnswer): ChatResponse {
    const { usage, finish, conversation } = answer;
    const contents = this.contentsOf(answer);
    return {
      messages: contents.length === 0 ? [] : [{ role: 'assistant', contents }],
      ...(finish === undefined ? {} : { finishReason: finish }),
      ...(usage === undefined ? {} : { usage }),
      ...(conversation === undefined ? {} : { serviceSessionId: conversation }),
    };
  }

  protected contentsOf({ text = '', reasoning = '', calls = [] }: WireAnswer): Content[] {
    return [
      ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
      ...(text === '' ? [] : [{ type: 'text', text } as const]),
      ...calls.map((call) => ({
        type: 'tool_call' as const,
        callId: call.callId ?? '',
        name: call.name ?? '',
        arguments: call.arguments ?? '',
      })),
    ];
  }

  protected updateOf(answer: WireAnswer): ChatResponseUpdate {
    const { text, reasoning, calls = [], usage, finish, conversation } = answer;
    return {
      contents: [
        ...(reasoning === undefined ? [] : [{ type: 'reasoning', text: reasoning } as const]),
        ...(text === undefined ? [] : [{ type: 'text', text } as const]),
        ...calls.map((call): ToolCallDelta => ({ type: 'tool_call_delta', ...call })),
        ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
      ],
      ...(finish === undefined ? {} : { finishReason: finish }),
      ...(conversation === undefined ? {} : { serviceSessionId: conversation }),
    };
  }
}

async function* linesOf(response: Response): AsyncGenerator<string, void> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
