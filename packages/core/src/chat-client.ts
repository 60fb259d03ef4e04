import type { Content, Usage } from './content.js';
import type { JsonObject } from './json.js';
import type { ChatMessage, ChatMessageInit, Role } from './message.js';

/** A JSON Schema (2020-12) of an object. */
export type JsonSchema = JsonObject;

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Whether the service should hold the model to the schema. Default: the client's. */
  readonly strict?: boolean;
}

/** Why a model stopped. Services have others; they are passed on. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | (string & {});

/** What a model call may be given. Every member is optional and the client's default where absent. */
export interface ChatOptions {
  readonly instructions?: string;
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string };
  readonly parallelToolCalls?: boolean;
  readonly modelId?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly maxOutputTokens?: number;
  readonly stop?: readonly string[];
  readonly seed?: number;
  /** Ask for JSON, optionally to a schema. */
  readonly responseFormat?: {
    readonly type: 'json';
    readonly name?: string;
    readonly schema?: JsonSchema;
  };
  /** Whether the service is to keep the conversation. */
  readonly store?: boolean;
  /** The conversation at the service that this call continues. */
  readonly serviceSessionId?: string;
  /** Members for the request that this contract does not name. */
  readonly additional?: JsonObject;
  readonly signal?: AbortSignal;
}

/** A whole answer of a model. */
export interface ChatResponse {
  /** Usually one assistant message. Ids are given by the agent; a service's own belong in `metadata`. */
  readonly messages: readonly ChatMessageInit[];
  readonly finishReason?: FinishReason;
  readonly usage?: Usage;
  readonly modelId?: string;
  readonly responseId?: string;
  /** The conversation at the service, when the service keeps it. */
  readonly serviceSessionId?: string;
}

/** A piece of a tool call, as it streams in. Pieces of one call share `index`. */
export interface ToolCallDelta {
  readonly type: 'tool_call_delta';
  /** Which call of the message this belongs to: pieces of parallel calls may interleave. */
  readonly index: number;
  readonly callId?: string;
  readonly name?: string;
  /** The next piece of the argument text. */
  readonly arguments?: string;
  /** Merged into the call's. */
  readonly metadata?: JsonObject;
}

/**
 * A piece of an answer. `text` and `reasoning` contents are pieces to be joined; the last
 * `finishReason` counts; usage may come at any time. Pieces belong to the message named by
 * `messageId`, or to the current one where it is absent.
 */
export interface ChatResponseUpdate {
  readonly contents: readonly (Content | ToolCallDelta)[];
  readonly messageId?: string;
  readonly role?: Role;
  readonly authorName?: string;
  /** Merged into the message's. */
  readonly metadata?: JsonObject;
  readonly finishReason?: FinishReason;
  readonly modelId?: string;
  readonly responseId?: string;
  readonly serviceSessionId?: string;
}

/** Talks to a model. Implementations keep nothing about a session. */
export interface ChatClient {
  readonly specificationVersion: 'v1';
  /** What the service can keep itself: nothing, the conversation when asked, or always. */
  readonly historyStorage: 'none' | 'optional' | 'required';
  /** Whether the service keeps conversations when a call does not say. Default false. */
  readonly storesByDefault?: boolean;
  /**
   * Sends the messages and waits for the whole answer.
   * @throws ChatClientError, or the reason of `options.signal`.
   */
  getResponse(messages: readonly ChatMessage[], options?: ChatOptions): Promise<ChatResponse>;
  /** The same, in pieces. Leaving the iteration ends the request. */
  getStreamingResponse(
    messages: readonly ChatMessage[],
    options?: ChatOptions,
  ): AsyncIterable<ChatResponseUpdate>;
}
