import {
  type ChatClient,
  ChatClientError,
  type ChatMessage,
  type ChatResponse,
  type ChatResponseUpdate,
  type Content,
  messageText,
} from '@minne/core';

/** A model that answers by script, or `Very well.`, and remembers what it was sent. */
export class RecordingChatClient implements ChatClient {
  readonly specificationVersion = 'v1' as const;
  readonly historyStorage = 'none' as const;
  readonly requests: (readonly ChatMessage[])[] = [];
  readonly script: (readonly Content[] | 'fail')[] = [];

  async getResponse(messages: readonly ChatMessage[]): Promise<ChatResponse> {
    this.requests.push(structuredClone(messages));
    const contents = this.script.shift() ?? [{ type: 'text', text: 'Very well.' }];
    if (contents === 'fail') throw new ChatClientError('The model fails, as scripted.');
    return { messages: [{ role: 'assistant', contents }] };
  }

  async *getStreamingResponse(
    messages: readonly ChatMessage[],
  ): AsyncGenerator<ChatResponseUpdate, void> {
    const { messages: answers } = await this.getResponse(messages);
    for (const { contents } of answers) if (typeof contents !== 'string') yield { contents };
  }

  /** The texts of the newest request. */
  get lastTexts(): readonly string[] {
    return (this.requests.at(-1) ?? []).map(messageText);
  }
}
