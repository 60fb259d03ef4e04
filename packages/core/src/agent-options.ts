import type { ChatClient, ChatOptions } from './chat-client.js';
import type { ContextProvider, Diagnostic } from './context-provider.js';
import type { Clock, IdGenerator } from './identity.js';
import type { AgentMiddleware } from './middleware.js';
import type { AgentSession } from './session.js';
import type { SessionFormat } from './session-codec.js';
import type { StandardSchema } from './standard-schema.js';
import type { Tool } from './tool.js';

/** Options of a model call that an agent or a run may set; the agent itself sees to the rest. */
export type ModelOptions = Omit<
  ChatOptions,
  'instructions' | 'tools' | 'signal' | 'store' | 'serviceSessionId' | 'responseFormat'
>;

/** What an agent is made of. */
export interface AgentOptions {
  readonly chatClient: ChatClient;
  /** Stands as `authorName` on the agent's messages. */
  readonly name?: string;
  /** What the agent is good for. Tells another agent's model when to use it as a tool. */
  readonly description?: string;
  readonly instructions?: string;
  readonly tools?: readonly Tool[];
  /** In the order in which they are asked. At most one history provider among them may load. */
  readonly contextProviders?: readonly ContextProvider[];
  readonly modelOptions?: ModelOptions;
  /**
   * Whether the model's service is to keep the history. Default: it does not where a provider that loads
   * is configured; without one, what the chat client does by default.
   */
  readonly store?: boolean;
  /**
   * Stores the input before the first model call and what each call brought right after it, instead
   * of everything at once at the end. Costs a write per call; loses nothing when the process is killed.
   * Default false.
   */
  readonly persistPerServiceCall?: boolean;
  /** Model calls that may ask for tools, in one run; one more then answers without. Default 20. */
  readonly maxToolRounds?: number;
  /**
   * Milliseconds that each provider has after a run, and for making smaller what it stores: a session is held
   * no longer by one that hangs. It is left to itself then, and the run ends with an error that carries the
   * answer. A run that was aborted is stored all the same. `Infinity`: no limit. Default 60,000.
   */
  readonly afterRunTimeout?: number;
  /** Stands round runs and model calls; the first is the outermost. */
  readonly middleware?: readonly AgentMiddleware[];
  /** How the application keeps its own things in session state. Default: as plain JSON. */
  readonly sessionFormat?: SessionFormat;
  /** Told of everything that goes to `response.warnings`, and of every reduction of a history, as it happens. */
  readonly onDiagnostic?: (diagnostic: Diagnostic) => void;
  /** Default: the time of this machine. */
  readonly clock?: Clock;
  /** Default: UUIDs of version 7. */
  readonly ids?: IdGenerator;
}

/** Options of one run. */
export interface RunOptions<Value = unknown> {
  /** The conversation to go on with. Default: a new one that is forgotten unless a provider stores it. */
  readonly session?: AgentSession;
  readonly signal?: AbortSignal;
  /**
   * The application's own name for this run, unique within the session. A run that is repeated with
   * the same name and input stores nothing twice, and one that had come to its end is not run again. It is a
   * ConflictError when it answered other input, or when what it stored is known but no longer there. Input
   * whose messages have other ids than before, with an answer that lies beyond the provider's `limit`, cannot
   * be told from a new run.
   */
  readonly operationId?: string;
  /** Overrides the agent's. */
  readonly store?: boolean;
  /** Beside the agent's own. */
  readonly tools?: readonly Tool[];
  /** After the agent's own, in front of everything: what changes here empties the prompt cache. */
  readonly instructions?: string;
  /** For this run alone, without a cost to the prompt cache; see {@link ContextContribution.turnInstructions}. */
  readonly turnInstructions?: string;
  /** Merged over the agent's own. */
  readonly modelOptions?: ModelOptions;
  /** Ask for a value of this shape, found as `response.value`. */
  readonly output?: StandardSchema<Value>;
}

/** What a session is begun with. */
export interface CreateSessionOptions {
  /** Default: a new UUID. The same id continues what a provider has stored under it. */
  readonly sessionId?: string;
  /** On whose behalf the conversation is held. From trusted code, never from a model or request body. */
  readonly actorId?: string;
}

/** Options of clearing a session. */
export interface ClearSessionOptions {
  readonly signal?: AbortSignal;
}

/** What a session is continued with that the model's service keeps. */
export interface GetSessionOptions extends CreateSessionOptions {
  readonly serviceSessionId: string;
}

/** How an agent appears as a tool of another. */
export interface AgentToolOptions {
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
  readonly name: string;
  /** Tells the other agent's model when to use it. Default: the agent's own description. */
  readonly description?: string;
  readonly requiresApproval?: boolean;
  /** Milliseconds after which the call becomes an error result. Default: no limit. */
  readonly timeout?: number;
}
