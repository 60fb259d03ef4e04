import type { ApprovalRequestContent, ToolCallContent } from '../content.js';
import type { IdGenerator } from '../identity.js';
import type { ChatMessage } from '../message.js';
import { openCalls } from './answer-calls.js';

/** What is made of a model's answer. */
export interface AcceptedAnswer {
  /** The answer as it is kept: with the requests for approval, and without calls that cannot be run. */
  readonly messages: readonly ChatMessage[];
  /** Calls to be run now. */
  readonly calls: readonly ToolCallContent[];
  /** Calls that wait for a person. */
  readonly requests: readonly ApprovalRequestContent[];
  /** Calls for which there is no round of tools left, so that none stays without a result. */
  readonly refused: readonly ToolCallContent[];
}

/** What an answer is judged by. */
export interface AcceptOptions {
  /** Whether the rounds of tools are used up. */
  readonly last: boolean;
  readonly ids: IdGenerator;
  needsApproval(call: ToolCallContent): boolean;
}

/** Tells what of an answer is kept, run, asked a person, or refused. */
export function acceptAnswer(
  answer: readonly ChatMessage[],
  { last, ids, needsApproval }: AcceptOptions,
): AcceptedAnswer {
  const open = openCalls(answer);
  if (last && open.length > 0) {
    return { messages: withoutCalls(answer, open), calls: [], requests: [], refused: open };
  }
  const requests = open.filter(needsApproval).map((toolCall) => ({
    type: 'approval_request' as const,
    id: `approval_${ids()}`,
    toolCall,
  }));
  const waiting = new Set(requests.map(({ toolCall }) => toolCall));
  return {
    messages: answer.map((message) => {
      const own = requests.filter(({ toolCall }) => message.contents.includes(toolCall));
      return own.length === 0 ? message : { ...message, contents: [...message.contents, ...own] };
    }),
    calls: open.filter((call) => !waiting.has(call)),
    requests,
    refused: [],
  };
}

function withoutCalls(
  answer: readonly ChatMessage[],
  calls: readonly ToolCallContent[],
): ChatMessage[] {
  const gone = new Set<unknown>(calls);
  return answer.flatMap((message) => {
    const contents = message.contents.filter((content) => !gone.has(content));
    return contents.length === 0 ? [] : [{ ...message, contents }];
  });
}
