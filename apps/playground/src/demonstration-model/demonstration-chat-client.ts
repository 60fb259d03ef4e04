import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ChatClient,
  type ChatMessage,
  type ChatOptions,
  type ChatResponse,
  type ChatResponseUpdate,
  type IdGenerator,
  uuidv7,
} from '@minne/core';
import { type Decision, decide } from './decide.js';

/** Options of {@link DemonstrationChatClient}. */
export interface DemonstrationChatClientOptions {
  /** Milliseconds between the words of a streamed answer. Default 35. */
  readonly wordDelay?: number;
  /** Names the tool calls. */
  readonly ids?: IdGenerator;
}

/** The name that the model gives itself in answers. */
const demonstrationModelId = 'minne-demonstration';

/**
 * A model without a network that follows a few rules: it saves what a person states about
 * themselves, searches before it answers, lists and forgets when asked, and otherwise says what it
 * can do. It calls only tools that it is given and answers only from their results and from the
 * conversation.
 */
export class DemonstrationChatClient implements ChatClient {
  readonly specificationVersion = 'v1';
  readonly historyStorage = 'none';
  readonly #wordDelay: number;
  readonly #ids: IdGenerator;

  constructor(options: DemonstrationChatClientOptions = {}) {
    this.#wordDelay = options.wordDelay ?? 35;
    this.#ids = options.ids ?? uuidv7;
  }

  async getResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): Promise<ChatResponse> {
    options.signal?.throwIfAborted();
    const decision = decide(messages, toolNames(options));
    const common = { modelId: demonstrationModelId };
    if (decision.kind === 'say') {
      return {
        ...common,
        messages: [{ role: 'assistant', contents: decision.text }],
        finishReason: 'stop',
      };
    }
    const contents = decision.calls.map((call) => ({
      type: 'tool_call' as const,
      callId: this.#ids(),
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    }));
    return { ...common, messages: [{ role: 'assistant', contents }], finishReason: 'tool_calls' };
  }

  async *getStreamingResponse(
    messages: readonly ChatMessage[],
    options: ChatOptions = {},
  ): AsyncGenerator<ChatResponseUpdate, void, undefined> {
    options.signal?.throwIfAborted();
    const decision = decide(messages, toolNames(options));
    const pieces =
      decision.kind === 'say' ? textPieces(decision.text) : this.#callPieces(decision.calls);
    for (const content of pieces) {
      await this.#pause(options.signal);
      yield { role: 'assistant', contents: [content] };
    }
    yield {
      contents: [],
      modelId: demonstrationModelId,
      finishReason: decision.kind === 'say' ? 'stop' : 'tool_calls',
    };
  }

  #callPieces(calls: (Decision & { kind: 'call' })['calls']): ChatResponseUpdate['contents'] {
    return calls.flatMap((call, index) => [
      { type: 'tool_call_delta', index, callId: this.#ids(), name: call.name },
      { type: 'tool_call_delta', index, arguments: JSON.stringify(call.arguments) },
    ]);
  }

  async #pause(signal: AbortSignal | undefined): Promise<void> {
    if (this.#wordDelay > 0) {
      await sleep(this.#wordDelay, undefined, signal === undefined ? {} : { signal }).catch(
        (error: unknown) => {
          // The timer wraps the reason; the contract is to throw it as it is.
          signal?.throwIfAborted();
          throw error;
        },
      );
    }
    signal?.throwIfAborted();
  }
}

function toolNames({ tools, toolChoice }: ChatOptions): ReadonlySet<string> {
  if (tools === undefined || toolChoice === 'none') return new Set();
  const names = tools.map(({ name }) => name);
  return new Set(
    typeof toolChoice === 'object' ? names.filter((name) => name === toolChoice.name) : names,
  );
}

function textPieces(text: string): ChatResponseUpdate['contents'] {
  return (text.match(/\S+\s*/g) ?? []).map((piece) => ({ type: 'text' as const, text: piece }));
}
