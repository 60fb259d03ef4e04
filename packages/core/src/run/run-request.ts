import type { AgentConfiguration } from '../agent-configuration.js';
import type { RunOptions } from '../agent-options.js';
import type { HistoryOwner } from '../context-provider.js';
import type { IdGenerator } from '../identity.js';
import type { ChatMessage } from '../message.js';
import type { AgentSession } from '../session.js';
import type { Tell } from './model-call.js';
import type { Operation } from './operation.js';
import type { ProviderHooks } from './provider-hooks.js';

/** What a run is begun with. */
export interface RunRequest {
  readonly configuration: AgentConfiguration;
  readonly session: AgentSession;
  readonly owner: HistoryOwner;
  readonly input: readonly ChatMessage[];
  /** Ids of input that came with one, and so may come again. */
  readonly callerIds: readonly string[];
  readonly hooks: ProviderHooks;
  /** The run as the application has named it. */
  readonly operation: Operation | undefined;
  readonly ids: IdGenerator;
  readonly options: RunOptions;
  /** Told of what happens, when somebody watches; the answer is streamed then. */
  readonly tell: Tell;
  /** Aborts together with the caller's signal. */
  readonly signal: AbortSignal;
}
