import type { ToolCallContent, Usage } from '@minne/core';

/** A tool call that the model makes. */
export type ScriptedToolCall = Pick<ToolCallContent, 'callId' | 'name' | 'arguments'>;

/** The model answers. Streamed, text comes in several pieces where the service can do that. */
export interface ScriptedAnswer {
  readonly kind: 'answer';
  /** Default: none. */
  readonly text?: string;
  /** What it thought before. Given only when `reasoning` is declared. */
  readonly reasoning?: string;
  /** Given only when `toolCalls` is declared. `arguments` are to be sent as they are, valid JSON or not. */
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** Whether the streamed pieces of the calls take turns. Given only when `interleavedToolCalls` is declared. */
  readonly interleaved?: boolean;
  /** Input and output tokens. Given only when `usage` is declared. Default: what the service likes. */
  readonly usage?: Required<Pick<Usage, 'inputTokens' | 'outputTokens'>>;
  /** Default: `tool_calls` when there are any, else `stop`. */
  readonly finishReason?: 'stop' | 'length' | 'tool_calls';
}

/** The service fails before it has answered anything. */
export interface ScriptedError {
  readonly kind: 'error';
  /** Whether the same request may succeed later (it is overloaded), or never (it is refused). */
  readonly retryable: boolean;
}

/**
 * The answer comes to a halt. Streamed, this text has come before, or at least a piece of it; not
 * streamed, nothing has.
 */
export interface ScriptedHalt {
  /** `stall`: nothing more comes, and the request stays open. `cut`: the connection is dropped. */
  readonly kind: 'stall' | 'cut';
  readonly text: string;
}

/** What the service does with one request, streamed or not as the client asks. */
export type ScriptedReply = ScriptedAnswer | ScriptedError | ScriptedHalt;
