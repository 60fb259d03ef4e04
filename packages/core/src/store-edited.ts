import { ConflictError, StoreError } from './errors.js';
import type {
  HistoryBackend,
  HistoryKey,
  HistoryRecord,
  NewHistoryRecord,
} from './history-backend.js';
import { fromRecord, toRecords } from './history-record.js';
import type { ChatMessage } from './message.js';
import type { SessionState } from './session.js';

/** How often it is tried when others write at the same time. */
const maximumAttempts = 4;

/** What is to be stored. */
export interface EditedHistory {
  /** One that can replace. */
  readonly backend: HistoryBackend;
  readonly key: HistoryKey;
  readonly state: SessionState;
  readonly signal: AbortSignal;
  /** Messages in place of those that are stored under their ids. */
  readonly edits: readonly ChatMessage[];
  /** Messages to be added at the end. */
  readonly added: readonly ChatMessage[];
}

/**
 * Stores edited messages in their places and others at the end, in one atomic step. What others write
 * meanwhile stays: it is tried again with it.
 * @throws StoreError when there are damaged records; ConflictError when others come first again and again.
 */
export async function storeEdited(history: EditedHistory): Promise<void> {
  const { backend, key, state, signal, added } = history;
  for (let attempt = 1; ; attempt += 1) {
    const ids = added.map(({ id }) => id);
    const { records, version, damaged, knownIds } = await backend.load(key, { ids, signal, state });
    if (damaged.length > 0) {
      throw new StoreError(
        `${key.sourceId} holds ${damaged.length} damaged records, which a replacement would lose. Mend or clear the session first.`,
        { packageName: '@minne/core', sessionId: key.sessionId },
      );
    }
    const known = new Set(knownIds);
    const left = editedRecords(
      records,
      history.edits,
      added.filter(({ id }) => !known.has(id)),
    );
    try {
      await backend.replace?.(key, left, { version, signal, state });
      return;
    } catch (error) {
      if (!ConflictError.isInstance(error) || attempt === maximumAttempts) throw error;
    }
  }
}

/** The records with the edits in them. Groups are worked out anew: an edit may bring calls, or take them away. */
function editedRecords(
  records: readonly HistoryRecord[],
  edits: readonly ChatMessage[],
  added: readonly ChatMessage[],
): (HistoryRecord | NewHistoryRecord)[] {
  const edited = new Map(edits.map((message) => [message.id, message]));
  const conversation = records.flatMap((record) => {
    const message = edited.get(record.id) ?? readable(record);
    return message === undefined ? [] : [message];
  });
  conversation.push(...added);
  const fresh = new Map(toRecords(conversation).map((record) => [record.id, record]));
  const stored = records.map((record) => {
    const other = fresh.get(record.id);
    // What this version cannot read stays as it is.
    if (other === undefined) return record;
    const { sequence } = record;
    return edited.has(record.id) ? { ...other, sequence } : { ...record, group: other.group };
  });
  return [...stored, ...added.flatMap(({ id }) => fresh.get(id) ?? [])];
}

function readable(record: HistoryRecord): ChatMessage | undefined {
  try {
    return fromRecord(record);
  } catch {
    // Its run has been warned of it already.
    return undefined;
  }
}
