import type { RunContext } from './context-provider.js';
import { ConflictError } from './errors.js';
import type { HistoryFlags } from './history-options.js';
import type { ChatMessage } from './message.js';
import { isReduced, type PlacedMessage } from './reduction/placed-message.js';
import { isNamedInput, otherInput } from './run/operation.js';
import { sameMessage } from './same-message.js';

/**
 * Input that is stored with other content.
 * @throws ConflictError when there is any, unless it is to replace what is stored.
 */
export function editedInput(
  context: RunContext,
  history: readonly PlacedMessage[],
  onConflict: HistoryFlags['onConflict'],
): ChatMessage[] {
  if (context.callerIds.length === 0) return [];
  const stored = new Map(history.map(({ message }) => [message.id, message]));
  const changed = context.input.filter((message) => {
    const before = stored.get(message.id);
    // A caller still has the whole of what a reducer made smaller.
    return before !== undefined && !isReduced(before) && !sameMessage(before, message);
  });
  const [first] = changed;
  if (first !== undefined && onConflict !== 'replace') {
    const { operationId, session } = context;
    if (operationId !== undefined && isNamedInput(operationId, first.id)) {
      throw otherInput(operationId, session.sessionId);
    }
    throw new ConflictError(
      `The input has a message ${first.id} that is stored with other content. Give an edited message an id of its own, or set onConflict: 'replace'.`,
      { packageName: '@minne/core', field: 'input', sessionId: session.sessionId },
    );
  }
  return changed;
}

/** The history with edited messages in their places. */
export function withEdits(
  history: readonly PlacedMessage[],
  edits: readonly ChatMessage[],
): readonly PlacedMessage[] {
  if (edits.length === 0) return history;
  const edited = new Map(edits.map((message) => [message.id, message]));
  return history.map((item) => {
    const message = edited.get(item.message.id);
    return message === undefined ? item : { ...item, message };
  });
}
