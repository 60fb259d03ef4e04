import type { JsonObject } from '@minne/core';

/** A part of a user's message. */
export type WireContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' };
    }
  | {
      readonly type: 'file';
      readonly file: {
        readonly file_data?: string;
        readonly file_id?: string;
        readonly filename?: string;
      };
    };

/** A text part, which is all that a system or developer message may hold. */
export type WireTextPart = Extract<WireContentPart, { readonly type: 'text' }>;

/** A tool call in an assistant message. */
export interface WireToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message of a system or developer. */
export interface WireSystemMessage {
  readonly role: 'system' | 'developer';
  readonly content: string | WireTextPart[];
  readonly name?: string;
}

/** A message of a user. */
export interface WireUserMessage {
  readonly role: 'user';
  readonly content: string | WireContentPart[];
  readonly name?: string;
}

/** A message of the model. */
export interface WireAssistantMessage {
  readonly role: 'assistant';
  /** Null only beside tool calls. */
  readonly content: string | null;
  readonly name?: string;
  readonly tool_calls?: WireToolCall[];
  /** Not of OpenAI: some servers with thinking models want it back. */
  readonly reasoning_content?: string;
  /** The same under its other name. */
  readonly reasoning?: string;
}

/** The result of one tool call. */
export interface WireToolMessage {
  readonly role: 'tool';
  readonly tool_call_id: string;
  readonly content: string;
}

/** A message of a Chat Completions request, as OpenAI's API reference describes it. */
export type WireMessage =
  | WireSystemMessage
  | WireUserMessage
  | WireAssistantMessage
  | WireToolMessage;

/** A tool of a request. */
export interface WireTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonObject;
    readonly strict?: boolean;
  };
}

/** Body of `POST /chat/completions`, as far as this package writes it. */
export interface ChatCompletionRequest {
  readonly model: string;
  readonly messages: WireMessage[];
  readonly stream?: boolean;
  readonly stream_options?: JsonObject;
  readonly tools?: WireTool[];
  readonly tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { readonly type: 'function'; readonly function: { readonly name: string } };
  readonly parallel_tool_calls?: boolean;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_completion_tokens?: number;
  readonly max_tokens?: number;
  readonly stop?: string[];
  readonly seed?: number;
  readonly response_format?:
    | { readonly type: 'json_object' }
    | {
        readonly type: 'json_schema';
        readonly json_schema: { readonly name: string; readonly schema: JsonObject };
      };
}
