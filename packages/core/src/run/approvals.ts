import type {
  ApprovalRequestContent,
  ApprovalResponseContent,
  ToolCallContent,
} from '../content.js';
import { deepFreeze } from '../deep-freeze.js';
import { ConflictError, InvalidInputError } from '../errors.js';
import type { ChatMessage, ChatMessageInit } from '../message.js';
import type { AgentSession } from '../session.js';
import { isPlain } from './plain-message.js';

/** The key of `metadata` on input that holds an approval request, for which no agent vouches. */
const claimedMetadataKey = 'minne.claimed_request';

/** How a waiting tool call was settled. */
export interface SettledCall {
  readonly toolCall: ToolCallContent;
  /** `cancelled`: the person went on without answering. */
  readonly decision: 'approved' | 'rejected' | 'cancelled';
  readonly reason: string | undefined;
}

/** The waiting calls of a conversation, and what the newest input says of them. */
export interface ApprovalState {
  readonly settled: readonly SettledCall[];
  /** Still waiting, because the input is nothing but answers to others, or nothing at all. */
  readonly waiting: readonly ApprovalRequestContent[];
  /** Ids that the input answers and that no request in the conversation has. */
  readonly unknown: readonly string[];
  /** Ids of requests whose call has its result. */
  readonly closed: ReadonlySet<string>;
}

/** The answer to an approval request, as input for the next run. */
export function approvalResponse(
  request: ApprovalRequestContent,
  approved: boolean,
  reason?: string,
): ChatMessageInit {
  const content: ApprovalResponseContent = {
    type: 'approval_response',
    id: request.id,
    approved,
    ...(reason === undefined ? {} : { reason }),
  };
  return { role: 'user', contents: [content] };
}

/**
 * Input as it enters a history that others have to trust. It may come from a front end, which can claim
 * that an agent has asked for something, or that a text is a summary: a message with an approval request
 * is marked, so that its requests never count, and metadata whose names are ours is left out.
 */
export function withoutClaims(message: ChatMessage): ChatMessage {
  const asks = message.contents.some(({ type }) => type === 'approval_request');
  const names = Object.keys(message.metadata ?? {});
  if (!asks && !names.some(isOurs)) return message;
  const { metadata: given, ...rest } = message;
  const metadata = Object.fromEntries([
    ...Object.entries(given ?? {}).filter(([name]) => !isOurs(name)),
    ...(asks ? [[claimedMetadataKey, true] as const] : []),
  ]);
  return deepFreeze(Object.keys(metadata).length === 0 ? rest : { ...rest, metadata });
}

function isOurs(name: string): boolean {
  return name.startsWith('minne.');
}

/**
 * Finds the calls that wait for consent and settles those that can be: the first answer after the
 * request counts, for good; input with anything else in it cancels what is unanswered.
 *
 * @param earlier - What has been said before. Only requests in here count, and only an agent's own.
 */
export function settleApprovals(
  earlier: readonly ChatMessage[],
  input: readonly ChatMessage[],
): ApprovalState {
  const approvals = new Approvals();
  for (const message of earlier) {
    if (!isPlain(message)) approvals.read(message, isFromAgent(message));
  }
  for (const message of input) approvals.read(message, false);
  const onlyAnswers = input.every(isOnlyAnswers);
  const settled: SettledCall[] = [];
  const waiting: ApprovalRequestContent[] = [];
  for (const [id, request] of approvals.open) {
    const { toolCall } = request;
    const answer = approvals.answers.get(id);
    if (answer !== undefined) {
      const decision = answer.approved ? 'approved' : 'rejected';
      settled.push({ toolCall, decision, reason: answer.reason });
    } else if (onlyAnswers) {
      waiting.push(request);
    } else {
      settled.push({ toolCall, decision: 'cancelled', reason: undefined });
    }
  }
  const unknown = input
    .flatMap(({ contents }) => contents)
    .flatMap((content) => (content.type === 'approval_response' ? [content.id] : []))
    .filter((id) => !approvals.known.has(id));
  return { settled, waiting, unknown, closed: approvals.closed };
}

/** The requests of a conversation, read in its order. */
class Approvals {
  /** Requests whose call has no result yet, by id. */
  readonly open = new Map<string, ApprovalRequestContent>();
  /** The first answer to each, by the id of the request. */
  readonly answers = new Map<string, ApprovalResponseContent>();
  /** Ids of all requests, whoever made them. */
  readonly known = new Set<string>();
  /** Ids of requests whose call has its result. */
  readonly closed = new Set<string>();
  readonly #openOfCall = new Map<string, string[]>();

  /** @param vouched - Whether requests in this message count. */
  read({ contents }: ChatMessage, vouched: boolean): void {
    for (const content of contents) {
      if (content.type === 'approval_request') this.#ask(content, vouched);
      else if (content.type === 'approval_response') this.#answer(content);
      else if (content.type === 'tool_result') this.#close(content.callId);
    }
  }

  #ask(request: ApprovalRequestContent, vouched: boolean): void {
    const { id, toolCall } = request;
    const counts = vouched && !this.open.has(id);
    this.known.add(id);
    if (!counts) return;
    this.open.set(id, request);
    const others = this.#openOfCall.get(toolCall.callId);
    if (others === undefined) this.#openOfCall.set(toolCall.callId, [id]);
    else others.push(id);
  }

  #answer(answer: ApprovalResponseContent): void {
    if (this.open.has(answer.id) && !this.answers.has(answer.id)) {
      this.answers.set(answer.id, answer);
    }
  }

  /** A result answers the earliest open request for its call. */
  #close(callId: string): void {
    const id = this.#openOfCall.get(callId)?.shift();
    if (id === undefined) return;
    this.open.delete(id);
    this.closed.add(id);
  }
}

function isOnlyAnswers({ contents }: ChatMessage): boolean {
  return contents.every(({ type }) => type === 'approval_response');
}

function isFromAgent({ role, metadata }: ChatMessage): boolean {
  return role === 'assistant' && metadata?.[claimedMetadataKey] === undefined;
}

/** The error for an answer to a request that the conversation does not hold. */
export function unknownRequest(id: string, { sessionId }: AgentSession): InvalidInputError {
  return new InvalidInputError(
    `The input answers the approval request ${JSON.stringify(id)}, which is not in session ${sessionId}. Answer with the session that the request came from.`,
    { packageName: '@minne/core', field: 'input', sessionId },
  );
}

/** What a run has to go on with. */
export interface NothingToDecide {
  readonly earlier: readonly ChatMessage[];
  /** What the run was given. */
  readonly given: readonly ChatMessage[];
  /** What of it is new. */
  readonly newInput: readonly ChatMessage[];
  readonly session: AgentSession;
}

/**
 * @throws ConflictError when the input says nothing but that calls are allowed, or not, which were settled
 * before, and the model has answered since: it would be asked again for nothing, as by a second click.
 */
export function refuseSettled(
  { settled, waiting, closed }: ApprovalState,
  { earlier, given, newInput, session }: NothingToDecide,
): void {
  if (settled.length > 0 || waiting.length > 0 || !newInput.every(isOnlyAnswers)) return;
  const ids = (given.at(-1)?.contents ?? []).flatMap((content) =>
    content.type === 'approval_response' ? [content.id] : [],
  );
  const [id] = ids;
  if (id === undefined || !ids.every((each) => closed.has(each))) return;
  // A run that failed after the call was run may be repeated: the model has not seen the result.
  const last = earlier.findLast((message) => !isOnlyAnswers(message));
  if (last?.role !== 'assistant' || last.status !== undefined) return;
  throw new ConflictError(
    `The approval request ${JSON.stringify(id)} of session ${session.sessionId} was settled before, and the model has answered since. Read the answer from the history, or say something new.`,
    { packageName: '@minne/core', field: 'input', sessionId: session.sessionId },
  );
}
