import { ConflictError, InvalidInputError } from './errors.js';
import type {
  AppendResult,
  DamagedRecord,
  HistoryBackend,
  HistoryCallOptions,
  HistoryKey,
  HistoryRecord,
  LoadOptions,
  LoadResult,
  NewHistoryRecord,
  ReplaceOptions,
} from './history-backend.js';
import { checkLoadOptions, checkNewRecords, numberReplacement } from './history-input.js';
import { checkHistoryKey } from './history-key.js';
import type { SessionState } from './session.js';
import {
  appendToPages,
  damageOf,
  dropFromPages,
  entriesFromEnd,
  entriesFromFront,
  type HistoryIndex,
  indexHistory,
  readHistory,
  readRecord,
  recordsFromFront,
  rememberIds,
  type SessionHistory,
  writeHistory,
} from './session-history-layout.js';
import { checkMaxMessages, groupsToDrop } from './trim-records.js';

const packageName = '@minne/core';

/** Options of {@link SessionHistoryBackend}. */
export interface SessionHistoryBackendOptions {
  /**
   * The most messages that a session keeps; the oldest groups go first. System messages count and
   * stay, and so does the newest group, even when that makes more. Default: no limit.
   */
  readonly maxMessages?: number;
}

/**
 * Keeps history in the session itself: in `options.state`, as plain JSON that is serialised and
 * resumed with the session. It lives exactly as long as the session object does.
 *
 * Every method needs `options.state` and throws InvalidInputError without it, or when the state was
 * written by a newer version. Records that somebody spoilt by editing the state are left where they
 * are, are reported by `load` and do not count towards `maxMessages`.
 *
 * Ids of messages in the session are always known; of those that were trimmed or replaced, at least
 * the newest 10,000 are. An append costs in proportion to what is appended, not to what is there.
 */
export class SessionHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly #maxMessages: number | undefined;
  /**
   * What is derived from a history, by the very object: a state that was edited or replaced holds
   * another, and is read anew.
   */
  readonly #indexes = new WeakMap<SessionHistory, HistoryIndex>();

  /** @throws ConfigurationError when `maxMessages` is no whole number of at least 1. */
  constructor(options: SessionHistoryBackendOptions = {}) {
    checkMaxMessages(options.maxMessages, packageName);
    this.#maxMessages = options.maxMessages;
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    options: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const state = open(key, options);
    checkNewRecords(records, { packageName, sessionId: key.sessionId });
    const history = readHistory(state, packageName);
    const index = this.#indexes.get(history) ?? indexHistory(history);
    let { lastSequence } = history;
    const duplicates: string[] = [];
    const added = new Map<string, HistoryRecord>();
    for (const record of records) {
      if (index.ids.has(record.id) || added.has(record.id)) duplicates.push(record.id);
      else added.set(record.id, { ...record, sequence: ++lastSequence });
    }
    if (added.size === 0) return { version: String(history.version), duplicates };

    // From here on the index belongs to the new history, and the old one has none.
    this.#indexes.delete(history);
    for (const { id, kind, group } of added.values()) {
      index.ids.add(id);
      if (kind !== 'system') index.groups.set(group, (index.groups.get(group) ?? 0) + 1);
    }
    index.total += added.size;
    const version = history.version + 1;
    const pages = appendToPages(history.pages, [...added.values()]);
    this.#write(state, { ...history, version, lastSequence, pages }, index);
    return { version: String(version), duplicates };
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const state = open(key, options);
    checkLoadOptions(options, { packageName, sessionId: key.sessionId });
    const history = readHistory(state, packageName);
    const {
      limit = Number.POSITIVE_INFINITY,
      before = Number.POSITIVE_INFINITY,
      ids = [],
    } = options;
    const records: HistoryRecord[] = [];
    const damaged: DamagedRecord[] = [];
    for (const entry of entriesFromEnd(history.pages)) {
      if (records.length + damaged.length >= limit) break;
      const record = readRecord(entry);
      if (record === undefined) damaged.push(damageOf(entry));
      else if (record.sequence < before) records.push(record);
    }
    return {
      records: records.reverse(),
      version: String(history.version),
      knownIds: this.#known(history, ids),
      damaged: damaged.reverse(),
    };
  }

  /** Forgets the messages and their ids; the counters of sequence and version go on. */
  async clear(key: HistoryKey, options: HistoryCallOptions = {}): Promise<void> {
    const state = open(key, options);
    const history = readHistory(state, packageName);
    if (history.version === 0) return;
    const version = history.version + 1;
    writeHistory(state, { ...history, version, pages: [], removedIds: [] });
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    options: ReplaceOptions,
  ): Promise<AppendResult> {
    const state = open(key, options);
    const history = readHistory(state, packageName);
    if (options.version !== String(history.version)) {
      throw new ConflictError(
        `The history of session ${key.sessionId} is at version ${history.version}, not ${options.version}. Load it again and repeat the change.`,
        { packageName, field: 'version', sessionId: key.sessionId },
      );
    }
    const numbered = numberReplacement(records, history.lastSequence, {
      packageName,
      sessionId: key.sessionId,
    });
    const ids = new Set(numbered.map(({ id }) => id));
    const removed = new Set(entriesFromFront(history.removedIds));
    for (const { id } of recordsFromFront(history.pages)) removed.add(id);
    const replaced: SessionHistory = {
      ...history,
      version: history.version + 1,
      lastSequence: Math.max(history.lastSequence, numbered.at(-1)?.sequence ?? 0),
      pages: appendToPages([], numbered),
      removedIds: rememberIds(
        [],
        [...removed].map(String).filter((id) => !ids.has(id)),
      ).pages,
    };
    this.#write(state, replaced, indexHistory(replaced));
    return { version: String(replaced.version), duplicates: [] };
  }

  #known(history: SessionHistory, ids: readonly string[]): readonly string[] {
    if (ids.length === 0) return [];
    const index = this.#indexes.get(history) ?? indexHistory(history);
    return [...new Set(ids)].filter((id) => index.ids.has(id));
  }

  /** Trims the history to what may stay, puts it into the state, and keeps its index. */
  #write(state: SessionState, history: SessionHistory, index: HistoryIndex): void {
    const trimmed = this.#trim(history, index);
    writeHistory(state, trimmed);
    this.#indexes.set(trimmed, index);
  }

  #trim(history: SessionHistory, index: HistoryIndex): SessionHistory {
    if (this.#maxMessages === undefined || index.total <= this.#maxMessages) return history;
    const groups = groupsToDrop(recordsFromFront(history.pages), {
      total: index.total,
      maxMessages: this.#maxMessages,
      newestGroup: newestGroup(history),
      sizeOf: (group) => index.groups.get(group) ?? 0,
    });
    let count = 0;
    for (const group of groups) {
      count += index.groups.get(group) ?? 0;
      index.groups.delete(group);
    }
    const { pages, dropped } = dropFromPages(history.pages, groups, count);
    index.total -= dropped.length;
    const remembered = rememberIds(
      history.removedIds,
      dropped.map(({ id }) => id),
    );
    for (const id of remembered.forgotten) index.ids.delete(id);
    return { ...history, pages, removedIds: remembered.pages };
  }
}

function newestGroup({ pages }: SessionHistory): string | undefined {
  for (const entry of entriesFromEnd(pages)) {
    const record = readRecord(entry);
    if (record !== undefined && record.kind !== 'system') return record.group;
  }
  return undefined;
}

/** What every method begins with: the signal, the key, the state. */
function open(key: HistoryKey, { signal, state }: HistoryCallOptions): SessionState {
  signal?.throwIfAborted();
  checkHistoryKey(key, { packageName });
  if (state === undefined) {
    throw new InvalidInputError(
      `The history of session ${key.sessionId} lies in the session itself, and the call brought none of it. Pass the provider's slot of session.state as options.state.`,
      { packageName, field: 'options.state', sessionId: key.sessionId },
    );
  }
  return state;
}
