import type { ChatResponseUpdate, FinishReason, ToolCallDelta } from './chat-client.js';
import type { Content, ReasoningContent, TextContent, ToolCallContent, Usage } from './content.js';
import type { Clock, IdGenerator } from './identity.js';
import { timestamp } from './identity.js';
import type { JsonObject } from './json.js';
import type { ChatMessage, Role } from './message.js';

/** A tool call as far as it has come. */
interface CallDraft {
  readonly type: 'call';
  readonly index: number;
  /** Counts the calls of the message from 0. */
  readonly ordinal: number;
  callId: string;
  name: string;
  arguments: string;
  metadata: JsonObject | undefined;
}

type PartDraft = CallDraft | Content;

/** A message as far as it has come. */
interface MessageDraft {
  readonly id: string;
  readonly createdAt: string;
  /** The service's name for the message, by which later updates refer to it. */
  serviceId: string | undefined;
  role: Role;
  authorName: string | undefined;
  metadata: JsonObject | undefined;
  readonly parts: PartDraft[];
}

/** What an update changed, for those who watch. */
export type AccumulatedChange =
  | { readonly kind: 'text' | 'reasoning'; readonly messageId: string; readonly delta: string }
  | {
      readonly kind: 'call';
      readonly messageId: string;
      readonly index: number;
      readonly name: string;
      readonly started: boolean;
      readonly delta: string;
    };

/**
 * Joins the pieces of a streamed answer to the messages that the same answer, not streamed, would
 * have had.
 *
 * Pieces of text join the text before them, pieces of reasoning the reasoning before them, even when
 * the two interleave; anything else between them, another `minne.item_id` in their metadata, or
 * reasoning that was sealed with `protectedData`, begins a new content. Pieces of parallel tool calls
 * are told apart by `index`, and by `callId` where a server gives all of them the same index.
 */
export class ResponseAccumulator {
  readonly #ids: IdGenerator;
  readonly #clock: Clock;
  readonly #messages: MessageDraft[] = [];
  #usage: Usage | undefined;
  #finishReason: FinishReason | undefined;
  #modelId: string | undefined;
  #responseId: string | undefined;
  #serviceSessionId: string | undefined;

  constructor(ids: IdGenerator, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get finishReason(): FinishReason | undefined {
    return this.#finishReason;
  }

  get modelId(): string | undefined {
    return this.#modelId;
  }

  get responseId(): string | undefined {
    return this.#responseId;
  }

  get serviceSessionId(): string | undefined {
    return this.#serviceSessionId;
  }

  /** Takes in one update and tells what it changed. */
  add(update: ChatResponseUpdate): AccumulatedChange[] {
    this.#finishReason = update.finishReason ?? this.#finishReason;
    this.#modelId = update.modelId ?? this.#modelId;
    this.#responseId = update.responseId ?? this.#responseId;
    this.#serviceSessionId = update.serviceSessionId ?? this.#serviceSessionId;
    const changes: AccumulatedChange[] = [];
    for (const content of update.contents) {
      if (content.type === 'usage') {
        this.#usage = { ...this.#usage, ...content.usage };
        continue;
      }
      const change = addContent(this.#messageFor(update), content);
      if (change !== undefined) changes.push(change);
    }
    return changes;
  }

  /** The messages so far. Tool calls that came without an id are given one, and keep it. */
  messages(): ChatMessage[] {
    return this.#messages.map(({ id, createdAt, role, authorName, metadata, parts }) => {
      const contents = parts.map((part, index): Content => {
        const content = part.type === 'call' ? finishCall(part) : part;
        if (content.type !== 'tool_call' || content.callId !== '') return content;
        const identified = { ...content, callId: newCallId(this.#ids()) };
        parts[index] = identified;
        return identified;
      });
      return {
        id,
        role,
        contents,
        createdAt,
        ...(authorName === undefined ? {} : { authorName }),
        ...(metadata === undefined ? {} : { metadata }),
      };
    });
  }

  #messageFor(update: ChatResponseUpdate): MessageDraft {
    const last = this.#messages.at(-1);
    let draft = last;
    if (update.messageId !== undefined) {
      draft = this.#messages.find(({ serviceId }) => serviceId === update.messageId);
      // The first pieces may have come before the service told the name.
      if (draft === undefined && last?.serviceId === undefined) draft = last;
    }
    if (draft === undefined) {
      draft = {
        id: this.#ids(),
        createdAt: timestamp(this.#clock),
        serviceId: undefined,
        role: 'assistant',
        authorName: undefined,
        metadata: undefined,
        parts: [],
      };
      this.#messages.push(draft);
    }
    draft.serviceId ??= update.messageId;
    draft.role = update.role ?? draft.role;
    draft.authorName = update.authorName ?? draft.authorName;
    if (update.metadata !== undefined) draft.metadata = { ...draft.metadata, ...update.metadata };
    return draft;
  }
}

/** A call id of our own. Services take ids of up to 40 characters. */
export function newCallId(id: string): string {
  return `call_${id.replaceAll(/[^A-Za-z0-9]/g, '').slice(-32)}`;
}

function finishCall({ callId, name, arguments: text, metadata }: CallDraft): ToolCallContent {
  const call: ToolCallContent = { type: 'tool_call', callId, name, arguments: text };
  return metadata === undefined ? call : { ...call, metadata };
}

function addContent(
  message: MessageDraft,
  content: Content | ToolCallDelta,
): AccumulatedChange | undefined {
  switch (content.type) {
    case 'text':
    case 'reasoning':
      addPiece(message.parts, content);
      if (content.text === '') return undefined;
      return { kind: content.type, messageId: message.id, delta: content.text };
    case 'tool_call_delta':
      return addCallPiece(message, content);
    case 'tool_call': {
      const index = countCalls(message);
      message.parts.push(content);
      const { name, arguments: delta } = content;
      return { kind: 'call', messageId: message.id, index, name, started: true, delta };
    }
    default:
      message.parts.push(content);
      return undefined;
  }
}

function addPiece(parts: PartDraft[], piece: TextContent | ReasoningContent): void {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part === undefined || (part.type !== 'text' && part.type !== 'reasoning')) break;
    if (part.type !== piece.type) continue;
    if (!continues(part, piece)) break;
    parts[index] = {
      ...part,
      ...piece,
      text: part.text + piece.text,
      ...(part.metadata === undefined && piece.metadata === undefined
        ? {}
        : { metadata: { ...part.metadata, ...piece.metadata } }),
    };
    return;
  }
  parts.push(piece);
}

function continues(
  part: TextContent | ReasoningContent,
  piece: TextContent | ReasoningContent,
): boolean {
  if (part.type === 'reasoning' && part.protectedData !== undefined) return false;
  const before = part.metadata?.['minne.item_id'];
  const now = piece.metadata?.['minne.item_id'];
  return now === undefined || before === now;
}

function addCallPiece(message: MessageDraft, piece: ToolCallDelta): AccumulatedChange {
  let call = message.parts.findLast(
    (part): part is CallDraft => part.type === 'call' && part.index === piece.index,
  );
  const another =
    call !== undefined &&
    piece.callId !== undefined &&
    piece.callId !== '' &&
    call.callId !== '' &&
    call.callId !== piece.callId;
  const started = call === undefined || another;
  if (call === undefined || another) {
    call = {
      type: 'call',
      index: piece.index,
      ordinal: countCalls(message),
      callId: '',
      name: '',
      arguments: '',
      metadata: undefined,
    };
    message.parts.push(call);
  }
  if (call.callId === '') call.callId = piece.callId ?? '';
  if (call.name === '') call.name = piece.name ?? '';
  if (piece.metadata !== undefined) call.metadata = { ...call.metadata, ...piece.metadata };
  const delta = piece.arguments ?? '';
  call.arguments += delta;
  return {
    kind: 'call',
    messageId: message.id,
    index: call.ordinal,
    name: call.name,
    started,
    delta,
  };
}

function countCalls({ parts }: MessageDraft): number {
  return parts.filter(({ type }) => type === 'call' || type === 'tool_call').length;
}
