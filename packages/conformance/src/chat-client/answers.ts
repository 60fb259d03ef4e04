import {
  type ChatClient,
  type ChatMessage,
  type ChatMessageInit,
  type ChatOptions,
  type ChatResponse,
  type ChatResponseUpdate,
  type Content,
  createMessage,
  type FinishReason,
  type JsonObject,
  ResponseAccumulator,
  systemClock,
  type Usage,
  uuidv7,
} from '@minne/core';

/** An answer without what is another at every call, so that two can be compared. */
export interface PlainAnswer {
  readonly messages: readonly { readonly role: string; readonly contents: readonly Content[] }[];
  readonly finishReason: FinishReason | undefined;
  readonly usage: Usage | undefined;
  readonly modelId: string | undefined;
  readonly keptByService: boolean;
}

/** How a client may be asked. */
export type Ask = (
  client: ChatClient,
  messages: readonly ChatMessage[],
  options?: ChatOptions,
) => Promise<PlainAnswer>;

/** Asks for the whole answer. */
export const askWhole: Ask = async (client, messages, options) => {
  const response: ChatResponse = await (options === undefined
    ? client.getResponse(messages)
    : client.getResponse(messages, options));
  return {
    messages: response.messages.map(plainMessage).filter(saysSomething),
    finishReason: response.finishReason,
    usage: response.usage,
    modelId: response.modelId,
    keptByService: isKept(response.serviceSessionId),
  };
};

/** Asks for a stream, and puts it together as an agent does. */
export const askStreamed: Ask = async (client, messages, options) => {
  const accumulator = new ResponseAccumulator(uuidv7, systemClock);
  const updates: AsyncIterable<ChatResponseUpdate> =
    options === undefined
      ? client.getStreamingResponse(messages)
      : client.getStreamingResponse(messages, options);
  for await (const update of updates) accumulator.add(update);
  return {
    messages: accumulator.messages().map(plainMessage).filter(saysSomething),
    finishReason: accumulator.finishReason,
    usage: accumulator.usage,
    modelId: accumulator.modelId,
    keptByService: isKept(accumulator.serviceSessionId),
  };
};

/** Both ways. */
export const ways: Readonly<Record<'whole' | 'streamed', Ask>> = {
  whole: askWhole,
  streamed: askStreamed,
};

/** The text of an answer. */
export function textOf({ messages }: PlainAnswer): string {
  return messages
    .flatMap(({ contents }) => contents)
    .map((content) => (content.type === 'text' ? content.text : ''))
    .join('');
}

/** What a user says. */
export function said(...contents: readonly (string | Content)[]): ChatMessage {
  return messageOf({
    role: 'user',
    contents: contents.map((item) =>
      typeof item === 'string' ? { type: 'text', text: item } : item,
    ),
  });
}

/** A message with an id and a time. */
export function messageOf(init: ChatMessageInit): ChatMessage {
  return createMessage(init, uuidv7, systemClock);
}

function isKept(serviceSessionId: string | undefined): boolean {
  return serviceSessionId !== undefined && serviceSessionId !== '';
}

function plainMessage({ role, contents }: Pick<ChatMessageInit, 'role' | 'contents'>) {
  const parts: readonly Content[] =
    typeof contents === 'string' ? [{ type: 'text', text: contents }] : contents;
  return { role, contents: parts.filter((part) => !isEmptyText(part)).map(withoutServiceIds) };
}

function saysSomething({ contents }: { readonly contents: readonly Content[] }): boolean {
  return contents.length > 0;
}

function isEmptyText(content: Content): boolean {
  return content.type === 'text' && content.text === '';
}

/** Keys of ours hold the ids that a service gives to each of its answers. */
function withoutServiceIds({ metadata = {}, ...content }: Content): Content {
  const kept: JsonObject = Object.fromEntries(
    Object.entries(metadata).filter(([key]) => !key.startsWith('minne.')),
  );
  return Object.keys(kept).length === 0 ? content : { ...content, metadata: kept };
}
