import type { JsonObject } from '@minne/core';

/** A part of what a user, system or developer says. */
export type ResponseInputPart =
  | { readonly type: 'input_text'; readonly text: string }
  | {
      readonly type: 'input_image';
      readonly detail: 'auto';
      readonly image_url?: string;
      readonly file_id?: string;
    }
  | {
      readonly type: 'input_file';
      readonly file_data?: string;
      readonly file_id?: string;
      readonly file_url?: string;
      readonly filename?: string;
    }
  | {
      readonly type: 'input_audio';
      readonly input_audio: { readonly data: string; readonly format: 'wav' | 'mp3' };
    };

/** A message of a user, system or developer. */
export interface ResponseInputMessage {
  readonly type: 'message';
  readonly role: 'user' | 'system' | 'developer';
  readonly content: string | ResponseInputPart[];
}

/** What the service calls the phase of a message: a comment on the way, or the final answer. */
export type ResponsePhase = 'commentary' | 'final_answer';

/** What the model said. */
export interface ResponseAssistantMessage {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: string;
  readonly phase?: ResponsePhase;
}

/** What the model said, as the very item that the service made, without what only answers have. */
export interface ResponseOutputMessage {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly id: string;
  readonly content: { readonly type: 'output_text'; readonly text: string }[];
  readonly phase?: ResponsePhase;
}

/** A tool call of the model. */
export interface ResponseFunctionCall {
  readonly type: 'function_call';
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
  readonly id?: string;
}

/** What came of a tool call. */
export interface ResponseFunctionCallOutput {
  readonly type: 'function_call_output';
  readonly call_id: string;
  readonly output: string;
}

/** Reasoning, in the form in which the service gave it. */
export interface ResponseReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: { readonly type: 'summary_text'; readonly text: string }[];
  readonly encrypted_content: string;
}

/** An item of a request's `input`, as OpenAI's API reference describes it. */
export type ResponseInputItem =
  | ResponseInputMessage
  | ResponseAssistantMessage
  | ResponseOutputMessage
  | ResponseFunctionCall
  | ResponseFunctionCallOutput
  | ResponseReasoningItem;

/** A tool of a request. */
export interface ResponseTool {
  readonly type: 'function';
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly strict: boolean;
}

/** Body of `POST /responses`, as far as this package writes it. */
export interface ResponseRequest {
  readonly model: string;
  readonly input: ResponseInputItem[];
  readonly store: boolean;
  readonly stream?: boolean;
  readonly instructions?: string;
  readonly previous_response_id?: string;
  readonly conversation?: string;
  readonly include?: 'reasoning.encrypted_content'[];
  readonly tools?: ResponseTool[];
  readonly tool_choice?:
    | 'auto'
    | 'none'
    | 'required'
    | { readonly type: 'function'; readonly name: string };
  readonly parallel_tool_calls?: boolean;
  readonly temperature?: number;
  readonly top_p?: number;
  readonly max_output_tokens?: number;
  readonly text?: {
    readonly format:
      | { readonly type: 'json_object' }
      | { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonObject };
  };
}
