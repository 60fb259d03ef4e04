import { type AgentConfiguration, configureAgent, sessionSourceId } from './agent-configuration.js';
import type {
  AgentOptions,
  AgentToolOptions,
  ClearSessionOptions,
  CreateSessionOptions,
  GetSessionOptions,
  RunOptions,
} from './agent-options.js';
import type { AgentResponse } from './agent-response.js';
import type { ContextProvider } from './context-provider.js';
import { defineTool } from './define-tool.js';
import { ConfigurationError, InvalidInputError } from './errors.js';
import { HistoryProvider } from './history-provider.js';
import { createInputMessages, type MessageInput } from './message.js';
import { AgentRun } from './run/agent-run.js';
import { withoutClaims } from './run/approvals.js';
import { decideHistoryOwner } from './run/history-owner.js';
import type { Tell } from './run/model-call.js';
import { Operation } from './run/operation.js';
import { ProviderHooks } from './run/provider-hooks.js';
import { streamRun } from './run/run-stream.js';
import { forgetServiceIds } from './run/service-ids.js';
import { rememberPending } from './run/service-pending.js';
import { holdSession } from './run/session-lock.js';
import type { RunEvent } from './run-events.js';
import type { AgentSession } from './session.js';
import {
  createSession,
  deserializeSession,
  type SerializedSession,
  type SessionFormat,
  serializeSession,
} from './session-codec.js';
import { SessionHistoryBackend } from './session-history-backend.js';
import { holdsHistory } from './session-history-layout.js';
import { sessionSlotOf } from './session-slot.js';
import type { Tool } from './tool.js';

/**
 * A model with instructions, tools and a memory. Holds behaviour only: everything that belongs to a
 * conversation is in its {@link AgentSession}, so one agent serves any number at once.
 *
 * With no history provider configured, a session keeps its history in itself, under the source id
 * `in_memory`.
 */
export class Agent {
  readonly #configuration: AgentConfiguration;
  readonly #description: string | undefined;
  readonly #format: SessionFormat;
  readonly #sessionHistory = new HistoryProvider({
    backend: new SessionHistoryBackend(),
    sourceId: sessionSourceId,
  });

  /** @throws ConfigurationError for what could not work in any run. */
  constructor(options: AgentOptions) {
    this.#configuration = configureAgent(options);
    this.#description = options.description;
    this.#format = options.sessionFormat ?? {};
  }

  get name(): string | undefined {
    return this.#configuration.name;
  }

  /** Begins a conversation, or goes on with the one that a provider has stored under the id. */
  createSession(options: CreateSessionOptions = {}): AgentSession {
    return createSession({ ...options, sessionId: options.sessionId ?? this.#configuration.ids() });
  }

  /** Goes on with a conversation that the model's service keeps. */
  getSession(options: GetSessionOptions): AgentSession {
    return createSession({ ...options, sessionId: options.sessionId ?? this.#configuration.ids() });
  }

  /**
   * Begins the conversation of a session anew: forgets the history that the loading provider, or the session
   * itself, keeps, the conversation at the service, and what waited for approval. The service still has
   * that conversation. What recording providers have recorded stays, and so does the rest of `state`.
   * Waits for the runs on the session that came before.
   * @throws StoreError, and the reason of `options.signal`; what is kept where is then as it was.
   */
  async clearSession(session: AgentSession, options: ClearSessionOptions = {}): Promise<void> {
    checkSession(session);
    const { signal = new AbortController().signal } = options;
    const history = this.#configuration.loadingProvider ?? this.#sessionHistory;
    await holdSession(session.sessionId, signal, async () => {
      await history.clear(session, { signal });
      delete session.serviceSessionId;
      rememberPending(session, { requests: [], results: [] });
      forgetServiceIds(session);
    });
  }

  /**
   * Writes a session down as a JSON value. Keep it where only the application can change it.
   * @throws InvalidInputError with the path to whatever in `state` JSON cannot carry.
   */
  serializeSession(session: AgentSession): SerializedSession {
    return serializeSession(session, this.#format);
  }

  /**
   * Takes a session up again, in this process or another.
   * @throws InvalidInputError when the value is no session or of a newer version.
   */
  deserializeSession(value: unknown): AgentSession {
    return deserializeSession(value, this.#format);
  }

  /**
   * Answers the input. What the run read and wrote is stored when the promise resolves.
   * @throws ChatClientError, StoreError, ConflictError, the reason of `options.signal`, and, carrying
   * the finished response, AfterRunError and OutputError.
   */
  async run<Value = undefined>(
    input: MessageInput,
    options: RunOptions<Value> = {},
  ): Promise<AgentResponse<Value>> {
    // `output` is the schema of Value, and the run has checked the value by it.
    return (await this.#respond(input, options)) as AgentResponse<Value>;
  }

  /**
   * The same, telling what happens as it happens. Nothing is done before the first step is asked for.
   * Leaving the stream aborts the run; what there is of the answer is stored before the loop goes on.
   * The session is free again when `finish` or `error` is told.
   */
  runStream<Value = undefined>(
    input: MessageInput,
    options: RunOptions<Value> = {},
  ): AsyncGenerator<RunEvent, void> {
    return streamRun(
      (tell, signal) => this.#respond(input, { ...options, signal }, tell),
      options.signal,
    );
  }

  /**
   * This agent as a tool of another: it is given a task as text and answers with text. Each call is a
   * conversation of its own, on behalf of the same actor; neither agent sees the other's history.
   */
  asTool(options: AgentToolOptions): Tool {
    return defineTool<{ task: string }>({
      ...options,
      description: options.description ?? this.#description ?? `Gives a task to ${options.name}.`,
      parameters: {
        type: 'object',
        properties: { task: { type: 'string', description: 'What is to be done, in full.' } },
        required: ['task'],
        additionalProperties: false,
      },
      execute: async ({ task }, { actorId, signal }) => {
        const session = this.createSession(actorId === undefined ? {} : { actorId });
        const response = await this.run(task, { session, signal });
        const [waiting] = response.approvalRequests;
        if (waiting === undefined) return response.text;
        throw new ConfigurationError(
          `${options.name} wants to call ${waiting.toolCall.name}, which needs a person's approval, and an agent that runs as a tool can ask nobody. Set requiresApproval on the agent's tool instead.`,
          { packageName: '@minne/core', field: 'requiresApproval' },
        );
      },
    });
  }

  #respond(input: MessageInput, options: RunOptions, tell?: Tell): Promise<AgentResponse> {
    const { middleware, name } = this.#configuration;
    let next = async (given: MessageInput): Promise<AgentResponse> =>
      this.#begin(given, options, tell).complete();
    for (const layer of middleware.toReversed()) {
      const inner = next;
      const { session, signal } = options;
      const streaming = tell !== undefined;
      next = async (given) =>
        layer.run?.({ agentName: name, input: given, session, signal, streaming }, inner) ??
        inner(given);
    }
    return next(input);
  }

  #begin(input: MessageInput, options: RunOptions, tell: Tell): AgentRun {
    const configuration = this.#configuration;
    const { chatClient, loadingProvider, clock } = configuration;
    if (options.session !== undefined) checkSession(options.session);
    const owner = decideHistoryOwner({
      chatClient,
      runStore: options.store,
      agentStore: configuration.store,
      loadingProvider: loadingProvider?.sourceId,
      session: options.session,
      keepsItself: this.#keepsItself(options.session),
    });
    const session = options.session ?? this.createSession();
    const { operationId } = options;
    const operation =
      operationId === undefined ? undefined : new Operation(operationId, configuration.ids());
    const given = createInputMessages(input, operation?.nextInput ?? configuration.ids, clock);
    // A caller that keeps the history itself vouches for it.
    const messages = Object.freeze(owner === 'caller' ? given : given.map(withoutClaims));
    operation?.begin(messages);
    const knownIds = Object.freeze(
      operation === undefined ? callerIds(input) : messages.map(({ id }) => id),
    );
    const hooks = new ProviderHooks(
      {
        runId: configuration.ids(),
        operationId,
        agentName: configuration.name,
        session,
        historyOwner: owner,
        input: messages,
        callerIds: knownIds,
      },
      this.#providers(owner === 'provider'),
      configuration,
    );
    return new AgentRun({
      configuration,
      session,
      owner,
      input: messages,
      callerIds: knownIds,
      hooks,
      operation,
      ids: operation?.nextOutput ?? configuration.ids,
      options,
      tell,
      signal: options.signal ?? new AbortController().signal,
    });
  }

  /** Whether the session's messages lie in the session, where no provider of this agent has put them. */
  #keepsItself(session: AgentSession | undefined): boolean {
    const { sourceId } = this.#sessionHistory;
    const { providers, loadingProvider } = this.#configuration;
    if (session === undefined || loadingProvider !== undefined) return false;
    if (providers.some((provider) => provider.sourceId === sourceId)) return false;
    return holdsHistory(sessionSlotOf(session, sourceId));
  }

  #providers(providerOwns: boolean): readonly ContextProvider[] {
    const { providers, loadingProvider } = this.#configuration;
    return providerOwns && loadingProvider === undefined
      ? [this.#sessionHistory, ...providers]
      : providers;
  }
}

/** @throws InvalidInputError when a program without types has given something else, such as an id. */
function checkSession(session: AgentSession): void {
  if (typeof session?.sessionId === 'string' && typeof session.state === 'object') return;
  throw new InvalidInputError(
    'session must be a session of this agent: take one from createSession({ sessionId }) or deserializeSession.',
    { packageName: '@minne/core', field: 'session' },
  );
}

function callerIds(input: MessageInput): string[] {
  const items = Array.isArray(input) ? input : [input];
  return items.flatMap((item) =>
    typeof item === 'string' || item.id === undefined ? [] : [item.id],
  );
}
