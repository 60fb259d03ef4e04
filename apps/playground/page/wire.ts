import type { ChatMessage, RunEvent } from '@minne/core';

/** What the server tells of itself. */
export interface About {
  readonly model: string;
  readonly is_demonstration: boolean;
  readonly data_directory: string;
  readonly actor_id: string;
  readonly store_id: string;
}

/** A stored conversation in the list. */
export interface SessionWire {
  readonly session_id: string;
  readonly title: string;
  readonly update_time: string;
}

/** A page of stored conversations. */
export interface SessionPage {
  readonly sessions: readonly SessionWire[];
  readonly next_page_token?: string;
}

/** A page of stored messages. */
export interface MessagePage {
  readonly messages: readonly ChatMessage[];
  /** How many stored messages could not be read. */
  readonly damaged: number;
  /** Present when there are earlier ones: give it to get them. */
  readonly before?: number;
}

/** A line of a streamed answer: an event of the run, or the sentence that says why it failed. */
export type AnswerEvent =
  | Exclude<RunEvent, { readonly type: 'error' }>
  | { readonly type: 'error'; readonly message: string };
