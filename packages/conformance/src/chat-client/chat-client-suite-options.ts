import type { ChatClient } from '@minne/core';
import type { SuiteOptions } from '../shared/register-cases.js';
import type { ScriptedReply } from './scripted-reply.js';

/**
 * A service for one case, with nothing asked of it yet: usually a small HTTP server on this machine that
 * speaks what the real one speaks.
 */
export interface ChatTestService {
  /** A client of this service that does not repeat failed requests by itself. */
  open(): ChatClient | Promise<ChatClient>;
  /** Adds to the script: each request takes the next reply off it. */
  script(...replies: readonly ScriptedReply[]): void | Promise<void>;
  /** How many requests have come in so far. */
  received(): number;
  /** Resolves when no request that has come in is open any more: each was answered or given up. */
  idle(): Promise<unknown>;
  /** The body of the newest request, as text. Needed when `requests` is declared. */
  sent?(): string;
  /** Called at the end of the case. */
  remove?(): void | Promise<void>;
}

/** What a client and its service can do. Each is false when not declared. */
export interface ChatClientAbilities {
  /** The model can call tools. */
  readonly toolCalls?: boolean;
  /** The service may stream the pieces of parallel tool calls in turns. */
  readonly interleavedToolCalls?: boolean;
  /** The service tells what a call has cost. */
  readonly usage?: boolean;
  /** The service tells what the model thought. */
  readonly reasoning?: boolean;
  /** The test service has `sent`, and bodies are text in which words can be found, such as JSON. */
  readonly requests?: boolean;
  /** The service can keep conversations: `historyStorage` is not `none`. */
  readonly serviceHistory?: boolean;
}

/** Options of {@link testChatClient}. */
export interface ChatClientSuiteOptions extends SuiteOptions<ChatClientAbilities> {
  /** Makes a service. Called once for each case. */
  create(): ChatTestService | Promise<ChatTestService>;
}
