import {
  ConfigurationError,
  checkHistoryKey,
  checkId,
  type HistoryBackend,
  InvalidInputError,
  type NewHistoryRecord,
  uuidv7,
} from '@minne/core';
import type {
  AgentInputItem,
  RunContext,
  RunContextAwareSession,
  SessionHistoryRewriteArgs,
  SessionHistoryRewriteAwareSession,
  SessionHistoryTransactionArgs,
  SessionHistoryTransactionAwareSession,
} from '@openai/agents';
import {
  checkMutations,
  checkTransaction,
  groupsAfter,
  withCompaction,
  withMutations,
  withoutNewest,
  withTransaction,
} from './history-changes.js';
import { ItemGroups, isGiven, neededBefore } from './item-groups.js';
import { ItemHistory, type ReplacingBackend } from './item-history.js';
import { type EncodedItem, encodeItems, toRecords } from './item-record.js';
import type { MinneSessionOptions } from './minne-session-options.js';
import { itemIdOf, toOperation } from './operation.js';
import { packageName } from './package-name.js';
import { readItems } from './read-items.js';
import { withRetries } from './retries.js';
import { RunLedger } from './run-ledger.js';
import { UnsettledBatches } from './unsettled-batches.js';

/**
 * A session of OpenAI Agents JS that is kept in a history backend of Minne: durable in SQLite, Redis or
 * PostgreSQL, and open to many processes at once.
 *
 * What one object is told to change, it changes in the order in which it was told. Every method throws
 * InvalidInputError, before anything is written, for what cannot be kept or was written by an agent of
 * Minne, and StoreError for a store that fails. A failure that may pass is met by trying up to three times
 * within two seconds, except when an item is being taken back.
 */
export class MinneSession
  implements
    RunContextAwareSession,
    SessionHistoryTransactionAwareSession,
    SessionHistoryRewriteAwareSession
{
  /** The runner says for which run it calls, so that a compaction keeps what other runs have added. */
  readonly acceptsRunContext = true as const;
  readonly #history: ItemHistory;
  readonly #unsettled = new UnsettledBatches();
  readonly #ledger = new RunLedger();
  #isKnownAsOurs = false;
  #latestChange: Promise<unknown> = Promise.resolve();

  /**
   * @throws ConfigurationError for a backend that cannot replace; InvalidInputError for an id that stores
   * cannot keep.
   */
  constructor(options: MinneSessionOptions) {
    // Only what is left out has a default: an id that is null is an error of the program, not a new session.
    const { backend, sessionId = uuidv7(), actorId, sourceId = 'openai_agents' } = options;
    const key = { sessionId, sourceId, ...(actorId === undefined ? {} : { actorId }) };
    checkHistoryKey(key, { packageName });
    this.#history = new ItemHistory({
      backend: checkBackend(backend),
      key,
      onDiagnostic: options.onDiagnostic ?? (({ message }) => console.warn(message)),
    });
  }

  async getSessionId(): Promise<string> {
    return this.#history.sessionId;
  }

  /**
   * The items in their order.
   *
   * @param limit - Only this many of the newest, and more where these begin within a group that belongs
   * together: with the result of a call, the call. 0 or less gives none. Default: all.
   */
  async getItems(limit?: number, runContext?: RunContext<unknown>): Promise<AgentInputItem[]> {
    if (limit !== undefined && limit !== Number.POSITIVE_INFINITY) {
      if (typeof limit !== 'number' || (!Number.isSafeInteger(limit) && !(limit < 0))) {
        throw new InvalidInputError(
          `limit is ${String(limit)}. Give a whole number, or leave it out for all items.`,
          { packageName, field: 'limit' },
        );
      }
      if (limit <= 0) return [];
      return (await readItems(this.#history, limit)).items;
    }
    const { items, lastSequence } = await readItems(this.#history);
    this.#isKnownAsOurs = true;
    this.#ledger.read(runContext, lastSequence);
    return items;
  }

  /**
   * Adds items at the end: all or none. Resolves when they are as durable as the store makes them. After an
   * error that leaves open whether they were stored, adding the same again stores them at most once; an item
   * that is said again otherwise is stored again.
   */
  async addItems(items: AgentInputItem[], runContext?: RunContext<unknown>): Promise<void> {
    const encoded = encodeItems(items);
    if (encoded.length === 0) return;
    await this.#inTurn(async () => {
      const records = this.#unsettled.take(encoded) ?? (await this.#newRecords(encoded));
      try {
        await this.#history.append(records);
      } catch (error) {
        this.#unsettled.failed(encoded, records, error);
        throw error;
      }
      this.#ledger.wrote(
        runContext,
        records.map(({ id }) => id),
      );
    });
  }

  /**
   * Takes the newest item away and gives it. Of several who do it at once, each gets another. After an
   * error that leaves open whether it was taken, look at what is there.
   */
  popItem(_runContext?: RunContext<unknown>): Promise<AgentInputItem | undefined> {
    return this.#inTurn(() => {
      // What is taken away and added again is new.
      this.#unsettled.forgetAll();
      return this.#history.rewrite(withoutNewest);
    });
  }

  /** Forgets the items, and which operations were applied. */
  async clearSession(_runContext?: RunContext<unknown>): Promise<void> {
    await this.#inTurn(async () => {
      await this.#history.clear();
      this.#unsettled.forgetAll();
    });
  }

  /**
   * Appends items, or puts others in place of the newest, in one step with the note that it was done:
   * however often and from wherever it is called, an operation is applied once.
   *
   * @throws ConflictError when the operation was applied with another transaction, or the newest items are
   * not the expected ones. Nothing is changed then.
   */
  async applyHistoryTransaction(
    { operationId, transaction }: SessionHistoryTransactionArgs,
    runContext?: RunContext<unknown>,
  ): Promise<void> {
    // An id of an operation is hashed, so it may be of any length.
    const maximumBytes = Number.MAX_SAFE_INTEGER;
    checkId(operationId, 'operationId', { packageName, maximumBytes });
    const checked = checkTransaction(transaction);
    const operation = await toOperation(operationId, transaction);
    const ids = [operation.noteId, itemIdOf(operation, 0)];
    await this.#inTurn(() => {
      // What is taken away and added again is new, here and below.
      if (checked.expectedSuffix.length > 0) this.#unsettled.forgetAll();
      return this.#repeatably((loaded) => withTransaction(loaded, operation, checked), ids);
    });
    this.#ledger.wrote(runContext, [
      operation.noteId,
      ...checked.added.map((_, index) => itemIdOf(operation, index)),
    ]);
  }

  /** Puts other items in the places of stored ones, in one step. */
  async applyHistoryMutations({ mutations }: SessionHistoryRewriteArgs): Promise<void> {
    checkMutations(mutations);
    if (mutations.length === 0) return;
    await this.#inTurn(() => this.#repeatably((loaded) => withMutations(loaded, mutations)));
  }

  /**
   * Puts a compaction and what comes with it in place of everything, in one step. What others have added
   * since the run read the history stays, behind it.
   */
  async replaceHistoryWithCompaction(
    items: AgentInputItem[],
    runContext?: RunContext<unknown>,
  ): Promise<void> {
    const encoded = encodeItems(items);
    const ids = encoded.map(() => uuidv7());
    await this.#inTurn(() => {
      this.#unsettled.forgetAll();
      return this.#repeatably((loaded) =>
        withCompaction(loaded, encoded, ids, (record) =>
          this.#ledger.isOfOthers(runContext, record),
        ),
      );
    });
    this.#ledger.wrote(runContext, ids);
  }

  async #newRecords(items: readonly EncodedItem[]): Promise<readonly NewHistoryRecord[]> {
    const ids = items.map(() => uuidv7());
    return toRecords(items, ids, await this.#groupsBefore(items));
  }

  /** What decides the groups of new items. Looks at the store at least once, lest it be another's history. */
  async #groupsBefore(items: readonly EncodedItem[]): Promise<ItemGroups> {
    const needed = neededBefore(items.map(({ item }) => item));
    if (needed === 'nothing' && this.#isKnownAsOurs) return new ItemGroups();
    const { stored } = await this.#history.load(needed === 'all' ? {} : { limit: 1 });
    this.#isKnownAsOurs = true;
    const last = stored.at(-1);
    // What the last item continues decides whether the new ones do, too.
    const isPart =
      last?.item !== undefined && isGiven(last.item) && last.record.group !== last.record.id;
    if (needed === 'last' && isPart) return groupsAfter((await this.#history.load()).stored);
    return groupsAfter(stored);
  }

  /** For changes that come to the same when they are made twice. */
  #repeatably(
    change: Parameters<ItemHistory['rewrite']>[0],
    ids: readonly string[] = [],
  ): Promise<unknown> {
    return withRetries(() => this.#history.rewrite(change, ids));
  }

  /** One change after the other. */
  #inTurn<T>(change: () => Promise<T>): Promise<T> {
    const changed = this.#latestChange.then(change);
    // Whoever asked for the change is told of its failure; the next one is made all the same.
    this.#latestChange = changed.catch(() => undefined);
    return changed;
  }
}

function checkBackend(backend: HistoryBackend): ReplacingBackend {
  if (canReplace(backend)) return backend;
  throw new ConfigurationError(
    'The backend cannot replace what it holds, which taking items back, compaction and transactions need. Use one that has `replace`.',
    { packageName, field: 'backend' },
  );
}

function canReplace(backend: HistoryBackend): backend is ReplacingBackend {
  return typeof backend?.replace === 'function';
}
