import {
  type ChatClient,
  type ChatMessage,
  type ChatResponse,
  type ChatResponseUpdate,
  messageText,
} from '@minne/core';

/** Answers with the texts of all messages it was sent. */
export class EchoChatClient implements ChatClient {
  readonly specificationVersion = 'v1' as const;
  readonly historyStorage = 'none' as const;

  async getResponse(messages: readonly ChatMessage[]): Promise<ChatResponse> {
    return { messages: [{ role: 'assistant', contents: echo(messages) }], finishReason: 'stop' };
  }

  async *getStreamingResponse(
    messages: readonly ChatMessage[],
  ): AsyncGenerator<ChatResponseUpdate, void> {
    yield { contents: [{ type: 'text', text: echo(messages) }], finishReason: 'stop' };
  }
}

function echo(messages: readonly ChatMessage[]): string {
  return `[${messages.map((message) => messageText(message)).join(' | ')}]`;
}
