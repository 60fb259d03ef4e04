import type { ChatClient, ChatResponse, ChatResponseUpdate } from '../chat-client.js';
import { deepFreeze } from '../deep-freeze.js';
import { ChatClientError } from '../errors.js';
import type { IdGenerator } from '../identity.js';
import { type ChatMessage, parseMessage } from '../message.js';
import type { AgentMiddleware, ModelRequest } from '../middleware.js';
import type { AccumulatedChange, ResponseAccumulator } from '../response-accumulator.js';
import type { RunEvent } from '../run-events.js';
import { callsOf, withOwnCallIds } from './answer-calls.js';
import { iterateUntilAbort, raceAbort } from './race-abort.js';

/** Tells an event to whoever watches, and waits until it is dealt with. Absent when nobody watches. */
export type Tell = ((event: RunEvent) => Promise<void>) | undefined;

/** One call of the model, as the run makes it. */
export interface ModelCall {
  readonly chatClient: ChatClient;
  readonly middleware: readonly AgentMiddleware[];
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  /** Takes in the answer; what it holds when the call is cut short is the partial answer. */
  readonly accumulator: ResponseAccumulator;
  /** Streams the answer when there is somebody to tell. */
  readonly tell: Tell;
  /** Names calls that share an id. `undefined` where the service holds the calls by the ids it gave. */
  readonly callIds: IdGenerator | undefined;
}

/** Calls the model. @returns The messages of its answer. */
export async function callModel(call: ModelCall): Promise<readonly ChatMessage[]> {
  const { chatClient, middleware, request, signal, accumulator, tell, callIds } = call;
  const layers = middleware.filter(({ modelCall }) => modelCall !== undefined);
  if (tell === undefined && layers.length === 0) {
    const answer = chatClient.getResponse(request.messages, request.options);
    for (const update of updatesOf(await raceAbort(answer, signal))) accumulator.add(update);
  } else {
    const blocks = new TextBlocks();
    const updates = layered(chatClient, layers, call)(request);
    for await (const update of iterateUntilAbort(updates, signal)) {
      const changes = accumulator.add(update);
      if (tell === undefined) continue;
      for (const change of changes) {
        for (const event of blocks.eventsOf(change)) await tell(event);
      }
    }
    for (const event of blocks.end()) await tell?.(event);
  }
  const answer = accumulator
    .messages()
    .map((message) => parseMessage(message, 'the answer of the chat client'));
  const messages = callIds === undefined ? answer : withOwnCallIds(answer, callIds);
  for (const message of messages) deepFreeze(message);
  for (const message of messages) {
    if (message.role !== 'assistant') {
      throw new ChatClientError(
        `The chat client answered with a message of role ${message.role}; an answer is of role assistant.`,
        { packageName: '@minne/core' },
      );
    }
    if (tell === undefined) continue;
    for (const [index, toolCall] of callsOf(message).entries()) {
      await tell({ type: 'tool-call-end', messageId: message.id, index, toolCall });
    }
  }
  return messages;
}

function layered(
  chatClient: ChatClient,
  layers: readonly AgentMiddleware[],
  { tell, signal }: ModelCall,
): (request: ModelRequest) => AsyncIterable<ChatResponseUpdate> {
  let next = (request: ModelRequest): AsyncIterable<ChatResponseUpdate> =>
    tell === undefined
      ? wholeAnswer(chatClient, request, signal)
      : chatClient.getStreamingResponse(request.messages, request.options);
  for (const layer of layers.toReversed()) {
    const inner = next;
    next = (request) => layer.modelCall?.(request, inner) ?? inner(request);
  }
  return next;
}

async function* wholeAnswer(
  chatClient: ChatClient,
  { messages, options }: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatResponseUpdate, void> {
  yield* updatesOf(await raceAbort(chatClient.getResponse(messages, options), signal));
}

/** A whole answer as the updates that would have streamed it, one for each message. */
function* updatesOf(response: ChatResponse): Generator<ChatResponseUpdate, void> {
  const { messages, usage, ...rest } = response;
  for (const [index, { contents, role, authorName, metadata }] of messages.entries()) {
    yield {
      messageId: `message ${index}`,
      role,
      contents: typeof contents === 'string' ? [{ type: 'text', text: contents }] : contents,
      ...(authorName === undefined ? {} : { authorName }),
      ...(metadata === undefined ? {} : { metadata }),
    };
  }
  yield { ...rest, contents: usage === undefined ? [] : [{ type: 'usage', usage }] };
}

/** Brackets the pieces of text and reasoning with their start and end. */
class TextBlocks {
  #open: { readonly kind: 'text' | 'reasoning'; readonly messageId: string } | undefined;

  eventsOf(change: AccumulatedChange): RunEvent[] {
    const { kind, messageId, delta } = change;
    const same = this.#open?.kind === kind && this.#open.messageId === messageId;
    if (kind !== 'call' && same) return [{ type: `${kind}-delta`, messageId, delta }];
    const events = this.end();
    if (kind === 'call') {
      const { index, name } = change;
      if (change.started) events.push({ type: 'tool-call-start', messageId, index, name });
      if (delta !== '') events.push({ type: 'tool-call-delta', messageId, index, delta });
      return events;
    }
    this.#open = { kind, messageId };
    events.push({ type: `${kind}-start`, messageId }, { type: `${kind}-delta`, messageId, delta });
    return events;
  }

  end(): RunEvent[] {
    if (this.#open === undefined) return [];
    const { kind, messageId } = this.#open;
    this.#open = undefined;
    return [{ type: `${kind}-end`, messageId }];
  }
}
