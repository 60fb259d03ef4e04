import type { FinishReason } from './chat-client.js';
import type { ReductionReport } from './chat-reducer.js';
import type { ApprovalRequestContent, Usage } from './content.js';
import type { HistoryOwner, Warning } from './context-provider.js';
import type { ChatMessage } from './message.js';

/** What came of a run. */
export interface AgentResponse<Value = unknown> {
  /** The text of the last assistant message; empty when it has none. */
  readonly text: string;
  /** Everything that the model and the tools answered, in order. */
  readonly messages: readonly ChatMessage[];
  /** The sum over the run's model calls, of what the service reported. */
  readonly usage: Usage;
  readonly finishReason: FinishReason | undefined;
  readonly historyOwner: HistoryOwner;
  readonly sessionId: string;
  /** Tool calls that wait for a person: answer with `approvalResponse` in the next run. */
  readonly approvalRequests: readonly ApprovalRequestContent[];
  /** What did not go as it should and did not stop the run. */
  readonly warnings: readonly Warning[];
  /** What reducers did to the history, or why they did nothing, in order. */
  readonly reductions: readonly ReductionReport[];
  /** The answer as a value, when the run asked for one with `output`. */
  readonly value: Value;
}

/** Adds token counts; a member is absent only when it is absent from both. */
export function addUsage(left: Usage, right: Usage | undefined): Usage {
  if (right === undefined) return left;
  const names = [
    'inputTokens',
    'outputTokens',
    'totalTokens',
    'cachedInputTokens',
    'reasoningTokens',
  ] as const;
  const sum: { -readonly [K in keyof Usage]: Usage[K] } = {};
  for (const name of names) {
    const value = (left[name] ?? 0) + (right[name] ?? 0);
    if (left[name] !== undefined || right[name] !== undefined) sum[name] = value;
  }
  return sum;
}
