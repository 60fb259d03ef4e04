import { type AgentResponse, addUsage } from '../agent-response.js';
import type {
  ApprovalRequestContent,
  ToolCallContent,
  ToolResultContent,
  Usage,
} from '../content.js';
import type { RunMessages, RunOutcome } from '../context-provider.js';
import { deepFreeze } from '../deep-freeze.js';
import { errorText } from '../error-text.js';
import { type ChatMessage, createMessage, messageText } from '../message.js';
import type { FixedParts } from '../reduction/fixed-parts.js';
import { ResponseAccumulator } from '../response-accumulator.js';
import { acceptAnswer } from './accept-answer.js';
import { failedAfterAnswer, failedAfterUnfinished } from './after-run-failures.js';
import { refuseSettled, type SettledCall, settleApprovals, unknownRequest } from './approvals.js';
import { chatOptions } from './chat-options.js';
import { callModel } from './model-call.js';
import { emptyModelContext, type ModelContext, modelContext } from './model-context.js';
import { isJson, serviceView } from './model-view.js';
import { outputValue, responseFormatOf } from './output.js';
import { readableParts } from './partial-answer.js';
import type { RunRequest } from './run-request.js';
import { SentConversation } from './sent-conversation.js';
import { newToService, nothingNew, rememberServiceIds } from './service-ids.js';
import { pendingMessages, rememberPending } from './service-pending.js';
import { holdSession } from './session-lock.js';
import { errorResult, type ToolExecution } from './tool-execution.js';
import { ToolRound } from './tool-round.js';

const roundsUsedUp = 'This call was not run: the run had no round of tools left.';

/**
 * One run, from the lock on its session to the last hook. Watched or not, it takes the same way.
 */
export class AgentRun {
  readonly #request: RunRequest;
  readonly #signal: AbortSignal;
  /** What is finished, in order. */
  readonly #output: ChatMessage[] = [];
  #context: ModelContext = emptyModelContext;
  #newInput: readonly ChatMessage[];
  /** The answer that is coming in. */
  #accumulator: ResponseAccumulator | undefined;
  /** The tool calls that are being run, with the messages that asked for them already in the output. */
  #round: ToolRound | undefined;
  #usage: Usage = {};
  #finishReason: string | undefined;
  #waiting: readonly ApprovalRequestContent[] = [];
  /** Tool messages that the service, when it keeps the history, has not been sent. */
  #unsent: readonly ChatMessage[] = [];

  constructor(request: RunRequest) {
    this.#request = request;
    this.#newInput = request.input;
    this.#signal = request.signal;
  }

  /** Goes through the run. However it ends, what there is is stored when the promise settles. */
  async complete(): Promise<AgentResponse> {
    const { session, options } = this.#request;
    const response = await holdSession(session.sessionId, this.#signal, () =>
      this.#completeLocked(),
    );
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
    const { hooks, owner, session, configuration, options } = this.#request;
    const before = await hooks.before(this.#signal);
    const { history, contributions } = before;
    const newInput = owner === 'service' ? newToService(session, before.newInput) : before.newInput;
    this.#newInput = newInput;
    const repeated = this.#earlierAnswer(history, newInput);
    if (repeated !== undefined) {
      this.#newInput = [];
      this.#output.push(...repeated);
      return;
    }
    this.#context = modelContext(configuration, options, contributions, owner);
    const settled = this.#decide(history);
    // Nothing has been asked of the model yet: a store that fails now ends the run.
    if (configuration.persistPerServiceCall) await hooks.store(this.#messages(), this.#signal);
    await this.#settle(settled);
    if (this.#waiting.length > 0) return;
    const { messages, turnMessages } = this.#context;
    const fresh = [...messages, ...turnMessages, ...newInput];
    if (owner !== 'service') {
      const conversation = new SentConversation(hooks, [...fresh, ...this.#output]);
      const send = () => conversation.messages(this.#fixedParts(), this.#signal);
      await this.#converse(send, (added) => conversation.add(added));
      return;
    }
    let beginning: readonly ChatMessage[] = serviceView([...this.#unsent, ...fresh]);
    if (beginning.length === 0 && newInput.length < before.newInput.length) {
      throw nothingNew(session);
    }
    await this.#converse(
      async () => beginning,
      () => {
        beginning = serviceView(this.#unsent);
      },
    );
  }

  /** What a run of this name has answered before. */
  #earlierAnswer(
    history: readonly ChatMessage[],
    newInput: readonly ChatMessage[],
  ): readonly ChatMessage[] | undefined {
    const { operation, owner, input, session } = this.#request;
    if (owner !== 'provider') return undefined;
    const { sessionId } = session;
    return operation?.earlierAnswer({ sessionId, history, input, newInput });
  }

  /** Finds which calls the input settles, and which go on waiting. @returns Those that are settled. */
  #decide(history: readonly ChatMessage[]): readonly SettledCall[] {
    const { owner, session, input: given } = this.#request;
    const [earlier, input] = this.#conversationSoFar(history);
    if (owner === 'service') this.#unsent = earlier.filter(({ role }) => role === 'tool');
    const state = settleApprovals(earlier, input);
    const [stranger] = state.unknown;
    // A run that is repeated may answer what was settled before it failed: there are results to send.
    if (stranger !== undefined && this.#unsent.length === 0) {
      throw unknownRequest(stranger, session);
    }
    refuseSettled(state, { earlier, given, newInput: input, session });
    this.#waiting = state.waiting;
    return state.settled;
  }

  /** What was said before this run, and what is said now. */
  #conversationSoFar(
    history: readonly ChatMessage[],
  ): readonly [readonly ChatMessage[], readonly ChatMessage[]] {
    const { owner, session } = this.#request;
    const input = this.#newInput;
    if (owner === 'provider') return [history, input];
    if (owner === 'service') return [pendingMessages(session), input];
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

  /**
   * Calls the model and its tools in turn, until it answers without calls.
   * @param messages - What the model is sent now.
   * @param add - Told what a round of tools has brought.
   */
  async #converse(
    messages: () => Promise<readonly ChatMessage[]>,
    add: (added: readonly ChatMessage[]) => void,
  ): Promise<void> {
    const { configuration } = this.#request;
    for (let round = 1; ; round += 1) {
      const last = round > configuration.maxToolRounds;
      const answer = await this.#ask(await messages(), last);
      const from = this.#output.length;
      const goesOn = this.#accept(answer, last);
      await this.#storeSoFar();
      if (!goesOn) return;
      await this.#round?.execute(this.#execution());
      this.#endRound();
      if (this.#waiting.length > 0) return;
      add(this.#output.slice(from));
      await this.#storeSoFar();
    }
  }

  async #ask(messages: readonly ChatMessage[], last: boolean): Promise<readonly ChatMessage[]> {
    const { configuration, session, tell, ids, owner } = this.#request;
    this.#signal.throwIfAborted();
    const accumulator = new ResponseAccumulator(ids, configuration.clock);
    this.#accumulator = accumulator;
    const answer = await callModel({
      chatClient: configuration.chatClient,
      middleware: configuration.middleware,
      request: {
        messages: Object.freeze(messages),
        sources: this.#context.sources,
        options: chatOptions(this.#request, this.#context, last),
      },
      tell,
      signal: this.#signal,
      accumulator,
      callIds: owner === 'service' ? undefined : ids,
    });
    this.#accumulator = undefined;
    if (owner === 'service') {
      // Only now: an answer that was cut short is nothing that the conversation could go on from.
      const { serviceSessionId } = accumulator;
      if (serviceSessionId !== undefined) session.serviceSessionId = serviceSessionId;
      this.#unsent = [];
      this.#rememberPending();
      this.#noteService(answer);
    }
    this.#usage = addUsage(this.#usage, accumulator.usage);
    this.#finishReason = accumulator.finishReason;
    return answer.map((message) => this.#signed(message));
  }

  /** Remembers what the service has now, if the caller may send it again, and tells when it keeps nothing. */
  #noteService(answer: readonly ChatMessage[]): void {
    const { session, callerIds, hooks, options } = this.#request;
    if (options.session === undefined) return;
    if (session.serviceSessionId === undefined) {
      hooks.warn({
        code: 'not_kept_by_service',
        message:
          'The service was asked to keep the conversation and named none to continue, so the next run will not know of this one. Its account may forbid storing; then use store: false.',
      });
    } else if (callerIds.length > 0) {
      const output = [...this.#output, ...answer].map(({ id }) => id);
      rememberServiceIds(session, [...callerIds, ...output]);
    }
  }

  #signed(message: ChatMessage): ChatMessage {
    const { name: authorName } = this.#request.configuration;
    return authorName === undefined || message.authorName !== undefined
      ? message
      : { ...message, authorName };
  }

  /** What is the same in every model call of the run, beside the messages. */
  #fixedParts(): Omit<FixedParts, 'messages'> {
    const { instructions, tools } = this.#context;
    const { output } = this.#request.options;
    return { instructions, tools: tools.definitions(), ...responseFormatOf(output) };
  }

  /** Takes an answer into the output. @returns Whether it asks for something to be done. */
  #accept(answer: readonly ChatMessage[], last: boolean): boolean {
    const { hooks, ids, tell, configuration } = this.#request;
    const { messages, calls, requests, refused } = acceptAnswer(answer, {
      last,
      ids,
      needsApproval: (call) => this.#needsApproval(call),
    });
    this.#output.push(...messages);
    if (refused.length > 0) {
      hooks.warn({
        code: 'tool_rounds_exhausted',
        message: `The model still asked for ${refused.map(({ name }) => name).join(', ')} after ${configuration.maxToolRounds} rounds of tools; these calls were not run.`,
      });
      this.#unsent = refused.map((call) => this.#toolMessage(errorResult(call, roundsUsedUp)));
      this.#rememberPending();
      return false;
    }
    this.#waiting = requests;
    this.#round = new ToolRound(calls, tell);
    return calls.length + requests.length > 0;
  }

  /** A call that cannot be run anyway is not worth a person's consent. */
  #needsApproval(call: ToolCallContent): boolean {
    return this.#context.tools.get(call.name)?.requiresApproval === true && isJson(call.arguments);
  }

  /** Puts the results of the round into the output, one message each, in the order of the calls. */
  #endRound(): void {
    if (this.#round === undefined) return;
    const results = this.#round.results();
    this.#round = undefined;
    const messages = results.map((result) => this.#toolMessage(result));
    this.#output.push(...messages);
    this.#unsent = [...this.#unsent, ...messages];
    this.#rememberPending();
  }

  #toolMessage(result: ToolResultContent): ChatMessage {
    const { configuration, ids } = this.#request;
    return createMessage({ role: 'tool', contents: [result] }, ids, configuration.clock);
  }

  #rememberPending(): void {
    const { owner, session } = this.#request;
    if (owner !== 'service') return;
    rememberPending(session, { requests: this.#waiting, results: this.#unsent });
  }

  #execution(): ToolExecution {
    return { tools: this.#context.tools, session: this.#request.session, signal: this.#signal };
  }

  /** A store that fails here has another chance at the end, which then costs nobody the answer. */
  async #storeSoFar(): Promise<void> {
    const { configuration, hooks } = this.#request;
    if (!configuration.persistPerServiceCall) return;
    try {
      await hooks.store(this.#messages(), this.#signal);
    } catch (error) {
      this.#signal.throwIfAborted();
      hooks.warn({ code: 'store_failed', message: errorText(error) });
    }
  }

  #messages(): RunMessages {
    return {
      input: this.#newInput,
      context: this.#context.messages,
      output: deepFreeze([...this.#output]),
    };
  }

  async #endCompleted(): Promise<AgentResponse> {
    const { hooks, owner, session } = this.#request;
    const failures = await hooks.after({ status: 'completed', ...this.#messages() });
    // Everything is stored by now, and the next run is likely to send the same beside its history.
    const { instructions, tools, messages, turnMessages } = this.#context;
    await hooks.compact(
      { instructions, tools: tools.definitions(), messages: [...messages, ...turnMessages] },
      this.#signal,
    );
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
      reductions: hooks.reductions,
      value: undefined,
    };
    if (failures.length === 0) return response;
    throw failedAfterAnswer(failures, response);
  }

  async #endUnfinished(error: unknown): Promise<void> {
    const { hooks } = this.#request;
    const aborted = this.#signal.aborted;
    this.#endRound();
    if (aborted) {
      const shown = readableParts(this.#accumulator?.messages() ?? []);
      this.#output.push(...shown.map((message) => this.#signed(message)));
    }
    const output = this.#output.map((message) => ({ ...message, status: 'incomplete' as const }));
    const partial: RunMessages = { ...this.#messages(), output: deepFreeze(output) };
    const outcome: RunOutcome = aborted
      ? { status: 'aborted', partial }
      : { status: 'failed', error, partial };
    const failures = await hooks.after(outcome);
    if (failures.length === 0) return;
    throw failedAfterUnfinished(failures, error, { aborted, session: this.#request.session });
  }
}
