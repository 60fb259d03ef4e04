import type {
  ApprovalRequestContent,
  ApprovalResponseContent,
  ToolCallContent,
} from '../content.js';
import type { ChatMessage, ChatMessageInit } from '../message.js';

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
  /** Still waiting, because the input answered others and said nothing else. */
  readonly waiting: readonly ApprovalRequestContent[];
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
 * Finds the calls that wait for consent and settles those that can be: the first answer after the
 * request counts, for good; input with anything else in it cancels what is unanswered.
 *
 * @param earlier - What has been said before. Only requests in here count, and only an agent's: input
 * may come from a front end, which must not bring a call with it that no model has asked for.
 */
export function settleApprovals(
  earlier: readonly ChatMessage[],
  input: readonly ChatMessage[],
): ApprovalState {
  const requests = openRequests(earlier, input);
  if (requests.length === 0) return { settled: [], waiting: [] };
  const answers = new Map<string, ApprovalResponseContent>();
  for (const { contents } of [...earlier, ...input]) {
    for (const content of contents) {
      if (content.type === 'approval_response' && !answers.has(content.id)) {
        answers.set(content.id, content);
      }
    }
  }
  const onlyAnswers = input.every(({ contents }) =>
    contents.every(({ type }) => type === 'approval_response'),
  );
  const settled: SettledCall[] = [];
  const waiting: ApprovalRequestContent[] = [];
  for (const request of requests) {
    const { toolCall } = request;
    const answer = answers.get(request.id);
    if (answer !== undefined) {
      const decision = answer.approved ? 'approved' : 'rejected';
      settled.push({ toolCall, decision, reason: answer.reason });
    } else if (onlyAnswers && input.length > 0) {
      waiting.push(request);
    } else {
      settled.push({ toolCall, decision: 'cancelled', reason: undefined });
    }
  }
  return { settled, waiting };
}

/** The requests in `earlier` whose call has no result yet. */
function openRequests(
  earlier: readonly ChatMessage[],
  input: readonly ChatMessage[],
): ApprovalRequestContent[] {
  const open = new Map<string, ApprovalRequestContent>();
  for (const { role, contents } of earlier) {
    for (const content of contents) {
      if (content.type === 'tool_result') closeRequest(open, content.callId);
      else if (content.type === 'approval_request' && role === 'assistant') {
        open.set(content.id, content);
      }
    }
  }
  for (const { contents } of open.size === 0 ? [] : input) {
    for (const content of contents) {
      if (content.type === 'tool_result') closeRequest(open, content.callId);
    }
  }
  return [...open.values()];
}

/** A result answers the earliest open request for its call. */
function closeRequest(open: Map<string, ApprovalRequestContent>, callId: string): void {
  for (const [id, request] of open) {
    if (request.toolCall.callId !== callId) continue;
    open.delete(id);
    return;
  }
}
