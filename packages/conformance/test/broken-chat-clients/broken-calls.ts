import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ChatClientError,
  type ChatMessage,
  type ChatOptions,
  type ChatResponse,
  type ChatResponseUpdate,
  type Content,
  isKnownContent,
  type JsonObject,
} from '@minne/core';
import { ReferenceChatClient } from '../reference-chat-client.js';

/** Does something with the request before it is sent. */
abstract class LooksAtRequests extends ReferenceChatClient {
  protected abstract look(messages: readonly ChatMessage[], options: ChatOptions): void;

  protected override async send(
    messages: readonly ChatMessage[],
    options: ChatOptions,
    stream: boolean,
  ): Promise<Response> {
    this.look(messages, options);
    return super.send(messages, options, stream);
  }

  /** What goes wrong while it looks is nobody's error but its own. */
  protected override failureOf(error: unknown, options: ChatOptions): unknown {
    const own = error instanceof TypeError && error.message !== 'fetch failed';
    return own || error instanceof URIError ? error : super.failureOf(error, options);
  }
}

/** Streams when it has everything. */
export class WaitsForTheEnd extends ReferenceChatClient {
  override async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    yield* await Array.fromAsync(super.getStreamingResponse(messages, options));
  }
}

/** Never looks at the signal. */
export class IgnoresTheSignal extends ReferenceChatClient {
  protected override async send(
    messages: readonly ChatMessage[],
    { signal: _, ...options }: ChatOptions,
    stream: boolean,
  ): Promise<Response> {
    return super.send(messages, options, stream);
  }
}

/** Takes an aborted stream for one that is finished. */
export class EndsQuietlyOnAbort extends ReferenceChatClient {
  override async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    try {
      yield* super.getStreamingResponse(messages, options);
    } catch (error) {
      if (options.signal?.aborted !== true) throw error;
    }
  }
}

/** Reads on behind the back of whoever has left. */
export class ReadsAhead extends ReferenceChatClient {
  override async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    const updates: ChatResponseUpdate[] = [];
    let ended = false;
    let failure: unknown;
    const source = super.getStreamingResponse(messages, options);
    void (async () => {
      try {
        for await (const update of source) updates.push(update);
      } catch (error) {
        failure = error;
      }
      ended = true;
    })();
    while (!ended || updates.length > 0) {
      const update = updates.shift();
      if (update === undefined) await nextTurn();
      else yield update;
    }
    if (failure !== undefined) throw failure;
  }
}

/** Has one switch for all of its calls, which stays off. */
export class StaysAborted extends ReferenceChatClient {
  #reason: unknown;

  protected override failureOf(error: unknown, options: ChatOptions): unknown {
    if (options.signal?.aborted === true) this.#reason = options.signal.reason;
    return this.#reason ?? super.failureOf(error, options);
  }

  protected override async send(
    messages: readonly ChatMessage[],
    options: ChatOptions,
    stream: boolean,
  ): Promise<Response> {
    if (this.#reason !== undefined) throw this.#reason;
    return super.send(messages, options, stream);
  }
}

/** Keeps the answer in itself until there is time to hand it out. */
export class KeepsTheAnswerInItself extends ReferenceChatClient {
  #response: ChatResponse = { messages: [] };
  #open = 0;

  override async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    this.#open += 1;
    try {
      this.#response = await super.getResponse(messages, options);
    } finally {
      this.#open -= 1;
    }
    while (this.#open > 0) await nextTurn();
    return this.#response;
  }
}

/** Never says that it is worth another try. */
export class NeverRetryable extends ReferenceChatClient {
  protected override refusal(status: number, text: string): Error {
    return new ChatClientError(`The service answered ${status}: ${text}`, { status });
  }
}

/** Says of every error that it is worth another try. */
export class AlwaysRetryable extends ReferenceChatClient {
  protected override refusal(status: number, text: string): Error {
    return new ChatClientError(`The service answered ${status}: ${text}`, { retryable: true });
  }
}

/** Lets the errors of the connection through. */
export class ThrowsRawErrors extends ReferenceChatClient {
  protected override failureOf(error: unknown): unknown {
    return error;
  }
}

/** Takes what has come of a stream for all. */
export class TakesAPartForTheWhole extends ReferenceChatClient {
  override async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void> {
    let begun = false;
    try {
      for await (const update of super.getStreamingResponse(messages, options)) {
        begun = true;
        yield update;
      }
    } catch (error) {
      if (!begun || options.signal?.aborted === true) throw error;
    }
  }
}

/** Throws before there is a stream. */
export class ThrowsAtOnce extends ReferenceChatClient {
  override getStreamingResponse(): AsyncGenerator<ChatResponseUpdate, void> {
    throw new ChatClientError('This service does not stream.');
  }
}

/** Writes its defaults into the options. */
export class FillsInDefaults extends LooksAtRequests {
  protected override look(_messages: readonly ChatMessage[], options: ChatOptions): void {
    if (options.tools === undefined) Object.assign(options, { topP: 1 });
  }
}

/** Closes the schemas of the tools that it is given. */
export class ClosesSchemas extends LooksAtRequests {
  protected override look(_messages: readonly ChatMessage[], { tools = [] }: ChatOptions): void {
    for (const { parameters } of tools) {
      Object.assign(parameters as JsonObject, { additionalProperties: false });
    }
  }
}

/** Refuses contents that it does not know. */
export class RefusesUnknownContents extends LooksAtRequests {
  protected override look(messages: readonly ChatMessage[]): void {
    for (const content of contentsOf(messages)) {
      if (!isKnownContent(content)) throw new TypeError('A content has an unknown type.');
    }
  }
}

/** Takes every result for an object. */
export class ExpectsResults extends LooksAtRequests {
  protected override look(messages: readonly ChatMessage[]): void {
    for (const content of contentsOf(messages)) {
      if (content.type === 'tool_result') Object.keys(content.result as JsonObject);
    }
  }
}

/** Puts text into an address. */
export class EncodesText extends LooksAtRequests {
  protected override look(messages: readonly ChatMessage[]): void {
    for (const content of contentsOf(messages)) {
      if (content.type === 'text') encodeURIComponent(content.text);
    }
  }
}

/** Looks at the last content of the last message. */
export class NeedsALastContent extends LooksAtRequests {
  protected override look(messages: readonly ChatMessage[]): void {
    const last = messages.at(-1)?.contents.at(-1) as Content;
    if (last.type === 'error') throw new TypeError('The last content is an error.');
  }
}

/** Begins anew where it should go on. */
export class ForgetsConversations extends ReferenceChatClient {
  protected override stores(options: ChatOptions): boolean {
    return options.serviceSessionId === undefined && super.stores(options);
  }
}

function contentsOf(messages: readonly ChatMessage[]): Content[] {
  return messages.flatMap(({ contents }) => contents);
}
