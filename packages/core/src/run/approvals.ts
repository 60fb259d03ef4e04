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
 * Finds the calls that wait for consent and settles those that can be: an answer anywhere after the
 * request counts, the first one for good; input with anything else in it cancels what is unanswered.
 */
export function settleApprovals(
  earlier: readonly ChatMessage[],
  input: readonly ChatMessage[],
): ApprovalState {
  const requests = openRequests([...earlier, ...input]);
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

/** The requests whose call has no result yet. */
function openRequests(messages: readonly ChatMessage[]): ApprovalRequestContent[] {
  const open = new Map<string, ApprovalRequestContent>();
  for (const { contents } of messages) {
    for (const content of contents) {
      if (content.type === 'approval_request') open.set(content.id, content);
      if (content.type !== 'tool_result') continue;
      for (const [id, request] of open) {
        if (request.toolCall.callId !== content.callId) continue;
        open.delete(id);
        break;
      }
    }
  }
  return [...open.values()];
}
