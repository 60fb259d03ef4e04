import type { AgentConfiguration } from '../agent-configuration.js';
import type { RunOptions } from '../agent-options.js';
import { type AgentResponse, addUsage } from '../agent-response.js';
import type { ChatOptions } from '../chat-client.js';
import type { ApprovalRequestContent, ToolCallContent, Usage } from '../content.js';
import type { HistoryOwner, RunMessages, RunOutcome } from '../context-provider.js';
import { sourceMetadataKey } from '../history-provider.js';
import type { IdGenerator } from '../identity.js';
import { type ChatMessage, createMessage, messageText } from '../message.js';
import { ResponseAccumulator } from '../response-accumulator.js';
import { AfterRunError, UnfinishedRunError } from '../run-errors.js';
import type { AgentSession } from '../session.js';
import { type SettledCall, settleApprovals } from './approvals.js';
import { callModel, callsOf, type Tell } from './model-call.js';
import { isJson, modelView, serviceView } from './model-view.js';
import { operationAnswer } from './operation.js';
import { outputValue, responseFormatOf } from './output.js';
import type { ProviderHooks } from './provider-hooks.js';
import { lockSession } from './session-lock.js';
import type { ToolExecution } from './tool-execution.js';
import { ToolRound } from './tool-round.js';
import { ToolSet } from './tool-set.js';
import { rememberWaiting, waitingMessages } from './waiting-approvals.js';

/** What a run is begun with. */
export interface RunRequest {
  readonly configuration: AgentConfiguration;
  readonly session: AgentSession;
  readonly owner: HistoryOwner;
  readonly input: readonly ChatMessage[];
  readonly hooks: ProviderHooks;
  readonly ids: IdGenerator;
  readonly options: RunOptions;
  /** Told of what happens, when somebody watches; the answer is streamed then. */
  readonly tell: Tell;
  /** Aborts together with the caller's signal. */
  readonly signal: AbortSignal;
}

/**
 * One run, from the lock on its session to the last hook. Watched or not, it takes the same way.
 */
export class AgentRun {
  readonly #request: RunRequest;
  readonly #signal: AbortSignal;
  readonly #tools = new ToolSet();
  /** What is finished, in order. */
  readonly #output: ChatMessage[] = [];
  #context: readonly ChatMessage[] = [];
  #newInput: readonly ChatMessage[];
  /** The answer that is coming in. */
  #accumulator: ResponseAccumulator | undefined;
  /** The tool calls that are being run, with the messages that asked for them already in the output. */
  #round: ToolRound | undefined;
  #usage: Usage = {};
  #finishReason: string | undefined;
  #waiting: readonly ApprovalRequestContent[] = [];

  constructor(request: RunRequest) {
    this.#request = request;
    this.#newInput = request.input;
    this.#signal = request.signal;
  }

  /** Goes through the run. However it ends, what there is is stored when the promise settles. */
  async complete(): Promise<AgentResponse> {
    const { session, options } = this.#request;
    const free = await lockSession(session.sessionId, this.#signal);
    let response: AgentResponse;
    try {
      response = await this.#completeLocked();
    } finally {
      free();
    }
    if (options.output === undefined) return response;
    return { ...response, value: await outputValue(response, options.output) };
  }

  async #completeLocked(): Promise<AgentResponse> {
    try {
      await this.#go();
    } catch (error) {
      await this.#endUnfinished(error);
      throw error;
    }
    return await this.#endCompleted();
  }

  async #go(): Promise<void> {
    const { hooks, owner, configuration, options } = this.#request;
    const { history, newInput, contributions } = await hooks.before(this.#signal);
    this.#newInput = newInput;
    const repeated = operationAnswer(history, options.operationId);
    if (repeated !== undefined) {
      this.#output.push(...repeated);
      return;
    }
    this.#tools.add(configuration.tools, 'the agent');
    this.#tools.add(options.tools ?? [], 'the run');
    const instructions = [configuration.instructions, options.instructions];
    const injected: ChatMessage[] = [];
    for (const { sourceId, contribution } of contributions) {
      instructions.push(contribution.instructions);
      this.#tools.add(contribution.tools ?? [], sourceId);
      for (const message of contribution.messages ?? []) {
        const metadata = { ...message.metadata, [sourceMetadataKey]: sourceId };
        injected.push(
          createMessage({ ...message, metadata }, configuration.ids, configuration.clock),
        );
      }
    }
    this.#context = injected;
    // Nothing has been asked of the model yet: a store that fails now ends the run.
    if (configuration.persistPerServiceCall) await hooks.store(this.#messages(), this.#signal);
    const { settled, waiting } = settleApprovals(...this.#conversationSoFar(history));
    this.#waiting = waiting;
    await this.#settle(settled);
    if (waiting.length > 0) return;
    const fresh = [...injected, ...newInput];
    const beginning =
      owner === 'service'
        ? serviceView([...this.#output, ...fresh])
        : modelView([...history, ...fresh, ...this.#output]);
    await this.#converse(
      beginning,
      instructions.filter((text) => text !== undefined),
    );
  }

  /** What was said before this run, and what is said now. */
  #conversationSoFar(
    history: readonly ChatMessage[],
  ): readonly [readonly ChatMessage[], readonly ChatMessage[]] {
    const { owner, session } = this.#request;
    const input = this.#newInput;
    if (owner === 'provider') return [history, input];
    if (owner === 'service') return [waitingMessages(session), input];
    // The caller keeps the history: what it sends up to the last answer has been said before.
    const said = input.findLastIndex(({ role }) => role === 'assistant') + 1;
    return [input.slice(0, said), input.slice(said)];
  }

  /** Runs or refuses the calls that had waited for consent. */
  async #settle(settled: readonly SettledCall[]): Promise<void> {
    if (settled.length === 0) return;
    const round = new ToolRound(
      settled.map(({ toolCall }) => toolCall),
      this.#request.tell,
    );
    this.#round = round;
    for (const { toolCall, decision, reason } of settled) {
      if (decision === 'approved') continue;
      const because = reason === undefined ? '' : ` Reason: ${reason}`;
      await round.settle(
        toolCall,
        decision === 'rejected'
          ? `The user did not allow this call, and it was not run.${because}`
          : 'Cancelled: the user went on without allowing this call, and it was not run.',
      );
    }
    await round.execute(this.#execution());
    this.#endRound();
  }

  /** Calls the model and its tools in turn, until it answers without calls. */
  async #converse(
    beginning: readonly ChatMessage[],
    instructions: readonly string[],
  ): Promise<void> {
    const { configuration, owner } = this.#request;
    let messages = beginning;
    for (let round = 1; ; round += 1) {
      const last = round > configuration.maxToolRounds;
      const answer = await this.#ask(messages, instructions, last);
      const from = this.#output.length;
      const calls = this.#accept(answer, last);
      await this.#storeSoFar();
      if (calls.length === 0) return;
      await this.#runTools(calls);
      if (this.#waiting.length > 0) return;
      const added = this.#output.slice(from);
      messages =
        owner === 'service'
          ? serviceView(added.filter(({ role }) => role === 'tool'))
          : [...messages, ...modelView(added)];
      await this.#storeSoFar();
    }
  }

  async #ask(
    messages: readonly ChatMessage[],
    instructions: readonly string[],
    last: boolean,
  ): Promise<readonly ChatMessage[]> {
    const { configuration, session, tell, ids, owner } = this.#request;
    this.#signal.throwIfAborted();
    const accumulator = new ResponseAccumulator(ids, configuration.clock);
    this.#accumulator = accumulator;
    const answer = await callModel({
      chatClient: configuration.chatClient,
      middleware: configuration.middleware,
      request: { messages, options: this.#chatOptions(instructions, last) },
      tell,
      signal: this.#signal,
      accumulator,
      onServiceSession: (serviceSessionId) => {
        if (owner === 'service') session.serviceSessionId = serviceSessionId;
      },
    });
    this.#accumulator = undefined;
    this.#usage = addUsage(this.#usage, accumulator.usage);
    this.#finishReason = accumulator.finishReason;
    return answer.map((message) => this.#signed(message));
  }

  #signed(message: ChatMessage): ChatMessage {
    const { name: authorName } = this.#request.configuration;
    return authorName === undefined || message.authorName !== undefined
      ? message
      : { ...message, authorName };
  }

  #chatOptions(instructions: readonly string[], last: boolean): ChatOptions {
    const { configuration, options, owner, session } = this.#request;
    const tools = this.#tools.definitions();
    return {
      ...configuration.modelOptions,
      ...options.modelOptions,
      ...responseFormatOf(options.output),
      ...(instructions.length === 0 ? {} : { instructions: instructions.join('\n\n') }),
      ...(tools.length === 0 ? {} : { tools }),
      ...(last && tools.length > 0 ? { toolChoice: 'none' as const } : {}),
      ...(configuration.chatClient.historyStorage === 'none' ? {} : { store: owner === 'service' }),
      ...(owner === 'service' && session.serviceSessionId !== undefined
        ? { serviceSessionId: session.serviceSessionId }
        : {}),
      signal: this.#signal,
    };
  }

  /**
   * Takes an answer into the output. @returns The calls to be run. Calls for which there is no round
   * left are taken out, so that none stays without a result.
   */
  #accept(answer: readonly ChatMessage[], last: boolean): ToolCallContent[] {
    const { hooks, ids } = this.#request;
    const calls = answer.flatMap(callsOf);
    if (last && calls.length > 0) {
      hooks.warn({
        code: 'tool_rounds_exhausted',
        message: `The model still asked for ${calls.map(({ name }) => name).join(', ')} after ${this.#request.configuration.maxToolRounds} rounds of tools; these calls were not run.`,
      });
      for (const message of answer) {
        const contents = message.contents.filter(({ type }) => type !== 'tool_call');
        if (contents.length > 0) this.#output.push({ ...message, contents });
      }
      return [];
    }
    const requests = calls
      .filter((call) => this.#needsApproval(call))
      .map((toolCall) => ({
        type: 'approval_request' as const,
        id: `approval_${ids()}`,
        toolCall,
      }));
    for (const message of answer) {
      const own = requests.filter(({ toolCall }) => message.contents.includes(toolCall));
      this.#output.push(
        own.length === 0 ? message : { ...message, contents: [...message.contents, ...own] },
      );
    }
    this.#waiting = requests;
    const waiting = new Set(requests.map(({ toolCall }) => toolCall));
    this.#round = new ToolRound(
      calls.filter((call) => !waiting.has(call)),
      this.#request.tell,
    );
    return calls;
  }

  /** A call that cannot be run anyway is not worth a person's consent. */
  #needsApproval(call: ToolCallContent): boolean {
    return this.#tools.get(call.name)?.requiresApproval === true && isJson(call.arguments);
  }

  async #runTools(calls: readonly ToolCallContent[]): Promise<void> {
    if (calls.length > 0) await this.#round?.execute(this.#execution());
    this.#endRound();
  }

  /** Puts the results of the round into the output, one message each, in the order of the calls. */
  #endRound(): void {
    const { configuration, ids } = this.#request;
    for (const content of this.#round?.results() ?? []) {
      this.#output.push(
        createMessage({ role: 'tool', contents: [content] }, ids, configuration.clock),
      );
    }
    this.#round = undefined;
  }

  #execution(): ToolExecution {
    return { tools: this.#tools, session: this.#request.session, signal: this.#signal };
  }

  /** A store that fails here has another chance at the end, which then costs nobody the answer. */
  async #storeSoFar(): Promise<void> {
    const { configuration, hooks } = this.#request;
    if (!configuration.persistPerServiceCall) return;
    try {
      await hooks.store(this.#messages(), this.#signal);
    } catch (error) {
      this.#signal.throwIfAborted();
      hooks.warn({ code: 'store_failed', message: textOf(error) });
    }
  }

  #messages(): RunMessages {
    return { input: this.#newInput, context: this.#context, output: [...this.#output] };
  }

  async #endCompleted(): Promise<AgentResponse> {
    const { hooks, owner, session } = this.#request;
    if (owner === 'service') rememberWaiting(session, this.#waiting);
    const failures = await hooks.after({ status: 'completed', ...this.#messages() });
    const response: AgentResponse = {
      text: messageText(
        this.#output.findLast(({ role }) => role === 'assistant') ?? { contents: [] },
      ),
      messages: this.#output,
      usage: this.#usage,
      finishReason: this.#finishReason,
      historyOwner: owner,
      sessionId: session.sessionId,
      approvalRequests: this.#waiting,
      warnings: hooks.warnings,
      value: undefined,
    };
    if (failures.length === 0) return response;
    throw new AfterRunError(
      `The model has answered, but ${failures.map(({ sourceId }) => sourceId).join(' and ')} failed after it. The answer is in \`response\`; it may not be stored. ${failures.map(({ error }) => textOf(error)).join(' ')}`,
      {
        packageName: '@minne/core',
        sessionId: session.sessionId,
        cause: failures[0]?.error,
        response,
        errors: failures.map(({ error }) => error),
      },
    );
  }

  async #endUnfinished(error: unknown): Promise<void> {
    const { hooks } = this.#request;
    const aborted = this.#signal.aborted;
    this.#endRound();
    if (aborted) this.#output.push(...this.#partialText());
    const output = this.#output.map((message) => ({ ...message, status: 'incomplete' as const }));
    const partial: RunMessages = { ...this.#messages(), output };
    const outcome: RunOutcome = aborted
      ? { status: 'aborted', partial }
      : { status: 'failed', error, partial };
    const failures = await hooks.after(outcome);
    if (failures.length === 0) return;
    const names = failures.map(({ sourceId }) => sourceId).join(' and ');
    throw new UnfinishedRunError(
      `The run ${aborted ? 'was aborted' : 'failed'} (${textOf(error)}), and ${names} failed after it: ${failures.map((failure) => textOf(failure.error)).join(' ')}`,
      {
        packageName: '@minne/core',
        sessionId: this.#request.session.sessionId,
        cause: error,
        errors: failures.map((failure) => failure.error),
      },
    );
  }

  /** The readable part of the answer that was streaming in. */
  #partialText(): ChatMessage[] {
    return (this.#accumulator?.messages() ?? []).flatMap((message) => {
      const contents = message.contents.filter(
        (content) => content.type === 'text' && content.text !== '',
      );
      return contents.length === 0 ? [] : [this.#signed({ ...message, contents })];
    });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
