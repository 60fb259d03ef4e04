import { isJsonObject, type JsonObject, type JsonValue } from './json.js';

/** What every content may carry beside its own fields. */
interface ContentBase {
  /** Anything an adapter or application wants to keep with the content. Keys starting with `minne.` are ours. */
  readonly metadata?: JsonObject;
}

/** Plain text. */
export interface TextContent extends ContentBase {
  readonly type: 'text';
  readonly text: string;
}

/** What a model thought before it answered. */
export interface ReasoningContent extends ContentBase {
  readonly type: 'reasoning';
  /** The readable part; may be empty. */
  readonly text: string;
  /** The service's own opaque form, to be sent back unchanged. */
  readonly protectedData?: string;
}

/** Bytes carried in the message. */
export interface DataContent extends ContentBase {
  readonly type: 'data';
  /** Base64 (RFC 4648 §4), without a `data:` prefix. */
  readonly data: string;
  /** Such as `image/png`. */
  readonly mediaType: string;
  readonly name?: string;
}

/** Something that lies at an address. */
export interface UriContent extends ContentBase {
  readonly type: 'uri';
  readonly uri: string;
  readonly mediaType: string;
}

/** A file that the model's service holds. */
export interface HostedFileContent extends ContentBase {
  readonly type: 'hosted_file';
  readonly fileId: string;
  readonly mediaType?: string;
}

/** The model asks for a tool to be run. */
export interface ToolCallContent extends ContentBase {
  readonly type: 'tool_call';
  /** Pairs the call with its result. Services reuse ids, so pair by id and occurrence. */
  readonly callId: string;
  readonly name: string;
  /** The arguments exactly as the model wrote them: usually JSON, never repaired. */
  readonly arguments: string;
}

/** What came of a tool call. */
export interface ToolResultContent extends ContentBase {
  readonly type: 'tool_result';
  readonly callId: string;
  readonly result: JsonValue;
  /** Present when the call failed: what the model is told. */
  readonly error?: string;
}

/** A tool call that waits for a person's consent. */
export interface ApprovalRequestContent extends ContentBase {
  readonly type: 'approval_request';
  readonly id: string;
  readonly toolCall: ToolCallContent;
}

/** The answer to an {@link ApprovalRequestContent} with the same id. */
export interface ApprovalResponseContent extends ContentBase {
  readonly type: 'approval_response';
  readonly id: string;
  readonly approved: boolean;
  /** Told to the model when the call was not approved. */
  readonly reason?: string;
}

/** Tokens that one model call cost. Absent members are unknown, not zero. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  /** The part of `inputTokens` that the service had cached. */
  readonly cachedInputTokens?: number;
  /** The part of `outputTokens` spent on reasoning. */
  readonly reasoningTokens?: number;
}

/** Tokens used, as part of a message or of a streamed update. */
export interface UsageContent extends ContentBase {
  readonly type: 'usage';
  readonly usage: Usage;
}

/** A failure or refusal that the service reported inside an answer. */
export interface ErrorContent extends ContentBase {
  readonly type: 'error';
  readonly message: string;
  readonly code?: string;
}

/**
 * One part of a message, told apart by `type`.
 *
 * A stored message may hold parts of a later version, with a `type` that is not listed here. They are
 * kept as they are and sent to no model; {@link isKnownContent} tells them apart.
 */
export type Content =
  | TextContent
  | ReasoningContent
  | DataContent
  | UriContent
  | HostedFileContent
  | ToolCallContent
  | ToolResultContent
  | ApprovalRequestContent
  | ApprovalResponseContent
  | UsageContent
  | ErrorContent;

/** Fields that a content of each known type must have, with the JavaScript type of each. */
const requiredFields: { readonly [T in Content['type']]: Readonly<Record<string, string>> } = {
  text: { text: 'string' },
  reasoning: { text: 'string' },
  data: { data: 'string', mediaType: 'string' },
  uri: { uri: 'string', mediaType: 'string' },
  hosted_file: { fileId: 'string' },
  tool_call: { callId: 'string', name: 'string', arguments: 'string' },
  tool_result: { callId: 'string' },
  approval_request: { id: 'string', toolCall: 'object' },
  approval_response: { id: 'string', approved: 'boolean' },
  usage: { usage: 'object' },
  error: { message: 'string' },
};

/** The same, for going through them. */
const fieldsOf = new Map(
  Object.entries(requiredFields).map(([type, fields]) => [type, Object.entries(fields)]),
);

/** Whether this version knows the type of a content. */
export function isKnownContent(content: { readonly type: string }): content is Content {
  return fieldsOf.has(content.type);
}

/**
 * The first reason why `value` is not a content, or `undefined` when it is one. Unknown types and
 * unknown fields are no reason.
 */
export function contentProblem(value: JsonValue | undefined): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'is not an object';
  const content = value as JsonObject;
  const type = content['type'];
  if (typeof type !== 'string' || type === '') return 'has no type';
  if (!isKnownContent({ type })) return undefined;
  for (const [field, wanted] of fieldsOf.get(type) ?? []) {
    const found = content[field];
    if (typeof found !== wanted || found === null) {
      return `of type ${type} needs ${field} to be of type ${wanted}`;
    }
  }
  if (type === 'tool_result' && content['result'] === undefined) {
    return 'of type tool_result needs a result (null is one)';
  }
  if (type === 'approval_request') {
    const { toolCall } = content;
    const problem =
      isJsonObject(toolCall) && toolCall['type'] !== 'tool_call'
        ? 'is none'
        : contentProblem(toolCall);
    if (problem !== undefined) return `of type approval_request holds a toolCall that ${problem}`;
  }
  return undefined;
}
