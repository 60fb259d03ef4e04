import type { AgentResponse } from './agent-response.js';
import type { ToolCallContent, ToolResultContent } from './content.js';

/** A text or a piece of reasoning begins, grows and ends; `messageId` is the id it will be stored under. */
export type TextEvent =
  | { readonly type: 'text-start' | 'text-end'; readonly messageId: string }
  | { readonly type: 'text-delta'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'reasoning-start' | 'reasoning-end'; readonly messageId: string }
  | { readonly type: 'reasoning-delta'; readonly messageId: string; readonly delta: string };

/** A tool call streams in. `index` tells parallel calls of one message apart. */
export type ToolCallEvent =
  | {
      readonly type: 'tool-call-start';
      readonly messageId: string;
      readonly index: number;
      readonly name: string;
    }
  | {
      readonly type: 'tool-call-delta';
      readonly messageId: string;
      readonly index: number;
      readonly delta: string;
    }
  | {
      readonly type: 'tool-call-end';
      readonly messageId: string;
      readonly index: number;
      readonly toolCall: ToolCallContent;
    };

/** A tool has been run (or refused): in the order in which the tools finish. */
export interface ToolResultEvent {
  readonly type: 'tool-result';
  readonly name: string;
  readonly toolResult: ToolResultContent;
}

/** The run is over and stored. Always the last event of a run that came to its end. */
export interface FinishEvent {
  readonly type: 'finish';
  readonly response: AgentResponse;
}

/** The run failed or was aborted. The iteration throws the same error next. */
export interface ErrorEvent {
  readonly type: 'error';
  readonly error: unknown;
}

/** What happens in a streamed run. */
export type RunEvent = TextEvent | ToolCallEvent | ToolResultEvent | FinishEvent | ErrorEvent;
