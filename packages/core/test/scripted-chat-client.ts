import type {
  ChatClient,
  ChatMessage,
  ChatOptions,
  ChatResponse,
  ChatResponseUpdate,
  Content,
  ToolCallContent,
} from '@minne/core';

/** What the model does when it is called: answers with these contents, or does as the function says. */
export type Reply =
  | string
  | readonly Content[]
  | ((call: RecordedCall) => string | readonly Content[] | Promise<string | readonly Content[]>);

/** A call of the model, as the client was given it. */
export interface RecordedCall {
  readonly messages: readonly ChatMessage[];
  readonly options: ChatOptions;
}

/** Answers in the order of its script and remembers what it was asked. */
export class ScriptedChatClient implements ChatClient {
  readonly specificationVersion = 'v1' as const;
  readonly historyStorage: ChatClient['historyStorage'];
  readonly storesByDefault: boolean;
  readonly calls: RecordedCall[] = [];
  readonly #replies: Reply[];
  #conversation = 0;

  constructor(
    replies: readonly Reply[],
    options: { historyStorage?: ChatClient['historyStorage']; storesByDefault?: boolean } = {},
  ) {
    this.#replies = [...replies];
    this.historyStorage = options.historyStorage ?? 'none';
    this.storesByDefault = options.storesByDefault ?? false;
  }

  async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    const contents = await this.#next({ messages, options });
    return {
      messages: [{ role: 'assistant', contents }],
      finishReason: contents.some(({ type }) => type === 'tool_call') ? 'tool_calls' : 'stop',
      usage: { inputTokens: messages.length, outputTokens: 1 },
      ...this.#serviceSession(options),
    };
  }

  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    const contents = await this.#next({ messages, options });
    yield { contents: [], role: 'assistant', ...this.#serviceSession(options) };
    let index = 0;
    for (const content of contents) {
      if (content.type === 'tool_call') {
        yield* streamCall(content, index);
        index += 1;
      } else if (content.type === 'text') {
        for (const text of content.text.match(/.{1,3}/gsu) ?? []) {
          yield { contents: [{ ...content, text }] };
        }
      } else yield { contents: [content] };
    }
    yield {
      contents: [{ type: 'usage', usage: { inputTokens: messages.length, outputTokens: 1 } }],
      finishReason: index > 0 ? 'tool_calls' : 'stop',
    };
  }

  async #next(call: RecordedCall): Promise<readonly Content[]> {
    const { signal, ...options } = call.options;
    this.calls.push(structuredClone({ messages: call.messages, options }));
    signal?.throwIfAborted();
    const reply = this.#replies.shift();
    if (reply === undefined) throw new Error('The script has no further reply.');
    const given = typeof reply === 'function' ? await reply(call) : reply;
    return typeof given === 'string' ? [{ type: 'text', text: given }] : given;
  }

  #serviceSession(options: ChatOptions): { serviceSessionId?: string } {
    if (options.store !== true) return {};
    this.#conversation += 1;
    return { serviceSessionId: `response_${this.#conversation}` };
  }
}

function* streamCall(call: ToolCallContent, index: number): Generator<ChatResponseUpdate> {
  yield { contents: [{ type: 'tool_call_delta', index, callId: call.callId, name: call.name }] };
  for (const piece of call.arguments.match(/.{1,4}/gsu) ?? []) {
    yield { contents: [{ type: 'tool_call_delta', index, arguments: piece }] };
  }
}

/** A tool call content. */
export function toolCall(callId: string, name: string, input: unknown): ToolCallContent {
  return {
    type: 'tool_call',
    callId,
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  };
}
