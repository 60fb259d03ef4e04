import type { AgentResponse } from './agent-response.js';
import type { ChatOptions, ChatResponseUpdate } from './chat-client.js';
import type { ChatMessage, MessageInput } from './message.js';
import type { AgentSession } from './session.js';

/** What middleware is told of a run. */
export interface RunCall {
  readonly agentName: string | undefined;
  readonly input: MessageInput;
  /** The caller's session; absent when the run was given none. */
  readonly session: AgentSession | undefined;
  readonly signal: AbortSignal | undefined;
  /** Whether the run tells its events as they happen. They pass middleware by; its response does not. */
  readonly streaming: boolean;
}

/**
 * Which providers brought what is in a request, by `sourceId`. What no provider brought is the agent's
 * or the run's own. An injected message names its provider in `metadata['minne.source_id']`.
 */
export interface RequestSources {
  readonly instructions: readonly { readonly sourceId: string; readonly text: string }[];
  /** The `sourceId` of each tool's provider, by the tool's name. */
  readonly tools: ReadonlyMap<string, string>;
}

/** What middleware is told of a model call. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  readonly sources: RequestSources;
  /** Holds the run's signal. */
  readonly options: ChatOptions;
}

/**
 * Stands between the caller and a run, or between a run and its model. The first of an agent's list is
 * the outermost.
 */
export interface AgentMiddleware {
  /**
   * Round a whole run: change the input or the response, answer without calling `next`, or call it
   * again. The session is locked inside `next`.
   */
  run?(
    call: RunCall,
    next: (input: MessageInput) => Promise<AgentResponse>,
  ): Promise<AgentResponse>;
  /**
   * Round each model call: change the request, change or replace the updates, or call `next` again. A
   * whole answer comes as one update for each message.
   */
  modelCall?(
    request: ModelRequest,
    next: (request: ModelRequest) => AsyncIterable<ChatResponseUpdate>,
  ): AsyncIterable<ChatResponseUpdate>;
}
