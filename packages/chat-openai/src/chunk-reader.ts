import {
  ChatClientError,
  type ChatResponseUpdate,
  isJsonObject,
  type JsonObject,
  type Usage,
} from '@minne/core';
import { objectOf, objectsOf, textOf } from './read-json.js';
import { refusalContent, spokenOf, usageOf } from './response-content.js';
import { ToolCallSlots } from './tool-call-slots.js';

type UpdateContent = ChatResponseUpdate['contents'][number];

/** Reads the chunks of one streamed completion. */
export class ChunkReader {
  readonly #calls = new ToolCallSlots();
  #id: string | undefined;
  #modelId: string | undefined;
  #refusal = '';
  #usage: Usage | undefined;
  #began = false;
  #finished = false;

  /** The update that a chunk stands for, or `undefined` when there is nothing in it to tell. */
  read(chunk: unknown): ChatResponseUpdate | undefined {
    if (!isJsonObject(chunk)) return undefined;
    this.#began = true;
    // Some servers give every chunk another id; it is one message all the same.
    this.#id ??= textOf(chunk['id']);
    this.#modelId ??= textOf(chunk['model']);
    // With `n` above 1 there are several answers; the first one counts, as when not streamed.
    const choice = objectsOf(chunk['choices']).find(({ index }) => (index ?? 0) === 0);
    // Servers that report usage in every chunk count up; the last report is the sum.
    this.#usage = usageOf(chunk['usage']) ?? usageOf(choice?.['usage']) ?? this.#usage;
    if (choice === undefined) return undefined;
    const finishReason = textOf(choice['finish_reason']);
    if (finishReason !== undefined) this.#finished = true;
    const contents = this.#contents(objectOf(choice['delta']));
    if (contents.length === 0 && finishReason === undefined) return undefined;
    return this.#update(contents, finishReason);
  }

  /**
   * What is known only at the end: usage, a refusal, ids for calls without one.
   * @throws ChatClientError when the service never said that it was finished.
   */
  finish(): ChatResponseUpdate | undefined {
    if (!this.#finished) throw unfinished(this.#began);
    const contents: UpdateContent[] = [...this.#calls.finish()];
    if (this.#refusal !== '') contents.push(refusalContent(this.#refusal));
    if (this.#usage !== undefined) contents.push({ type: 'usage', usage: this.#usage });
    return contents.length === 0 ? undefined : this.#update(contents, undefined);
  }

  #contents(delta: JsonObject): UpdateContent[] {
    const { text, reasoning } = spokenOf(delta);
    this.#refusal += textOf(delta['refusal']) ?? '';
    const contents: UpdateContent[] = [];
    if (reasoning !== '') contents.push({ type: 'reasoning', text: reasoning });
    if (text !== '') contents.push({ type: 'text', text });
    for (const piece of objectsOf(delta['tool_calls'])) {
      const call = this.#calls.read(piece);
      if (call !== undefined) contents.push(call);
    }
    return contents;
  }

  #update(
    contents: readonly UpdateContent[],
    finishReason: string | undefined,
  ): ChatResponseUpdate {
    return {
      contents,
      role: 'assistant',
      ...(this.#id === undefined ? {} : serviceIds(this.#id)),
      ...(this.#modelId === undefined ? {} : { modelId: this.#modelId }),
      ...(finishReason === undefined ? {} : { finishReason }),
    };
  }
}

function serviceIds(id: string): Partial<ChatResponseUpdate> {
  return { messageId: id, responseId: id, metadata: { 'minne.service_id': id } };
}

function unfinished(began: boolean): ChatClientError {
  return began
    ? new ChatClientError(
        'The stream ended before the answer was finished (no finish_reason came). What came is not the whole answer; try again.',
        { packageName: '@minne/chat-openai', retryable: true },
      )
    : new ChatClientError(
        'The answer to a streamed request held no chunk. Try again; if it stays so, check that the base URL leads to an API that streams Chat Completions; it usually ends in /v1.',
        { packageName: '@minne/chat-openai', field: 'baseUrl', retryable: true },
      );
}
