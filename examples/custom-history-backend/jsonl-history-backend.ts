import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import {
  type AppendResult,
  type Clock,
  ConfigurationError,
  ConflictError,
  checkId,
  checkLoadOptions,
  checkMaxMessages,
  checkNewRecords,
  type HistoryBackend,
  type HistoryCallOptions,
  type HistoryFilter,
  type HistoryKey,
  type HistoryListing,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  MinneError,
  type NewHistoryRecord,
  numberReplacement,
  type ReplaceOptions,
  rememberedIdCount,
  StoreError,
  systemClock,
  timestamp,
  trimRecords,
} from '@minne/core';
import { readCounter, writeCounter } from '#counter-file';
import { appendWhole, hasCode, removeFiles, syncFolder, writeWhole } from '#durable-files';
import { findHistories } from '#find-histories';
import { withFolderLock } from '#folder-lock';
import {
  formatWrite,
  type HistoryFile,
  headOf,
  historyFileName,
  knownIdsOf,
  readHistoryFile,
  recordsOf,
  versionOf,
} from '#history-file';
import { packageName } from '#package-name';

/** Options of {@link JsonlHistoryBackend}. */
export interface JsonlHistoryOptions {
  /** Where the files lie. Made by the first write. */
  readonly folder: string;
  /** The most messages of a session; a whole number of at least 1. Default: no limit. */
  readonly maxMessages?: number;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Keeps each history in one file of JSON lines. */
export class JsonlHistoryBackend implements HistoryBackend {
  readonly specificationVersion = 'v1' as const;
  readonly #folder: string;
  readonly #maxMessages: number;
  readonly #clock: Clock;

  /** @throws ConfigurationError when an option is wrong. The folder is not touched. */
  constructor({ folder, maxMessages, clock = systemClock }: JsonlHistoryOptions) {
    if (typeof folder !== 'string' || folder === '') {
      throw new ConfigurationError('folder is empty. Give the path of a folder for the files.', {
        packageName,
        field: 'folder',
      });
    }
    checkMaxMessages(maxMessages, packageName);
    this.#folder = resolve(folder);
    this.#maxMessages = maxMessages ?? Number.POSITIVE_INFINITY;
    this.#clock = clock;
  }

  async append(
    key: HistoryKey,
    records: readonly NewHistoryRecord[],
    { signal }: HistoryCallOptions = {},
  ): Promise<AppendResult> {
    const path = this.#pathOf(key);
    checkNewRecords(records, { packageName, sessionId: key.sessionId });
    const given = records.map((record) => ({ ...record }));
    return this.#alone(signal, async () => {
      const file = await readHistoryFile(path);
      const known = knownIdsOf(file);
      const added: NewHistoryRecord[] = [];
      const duplicates: string[] = [];
      for (const record of given) {
        if (known.has(record.id)) duplicates.push(record.id);
        else added.push(record);
        known.add(record.id);
      }
      if (added.length === 0) return { version: versionOf(file), duplicates };
      const highest = await this.#highest(file);
      const numbered = added.map((record, index) => ({ ...record, sequence: highest + 1 + index }));
      const version = await this.#save(key, file, numbered, highest + added.length);
      return { version, duplicates };
    });
  }

  async load(key: HistoryKey, options: LoadOptions = {}): Promise<LoadResult> {
    const { before = Number.POSITIVE_INFINITY, limit, ids = [], signal } = options;
    const path = this.#pathOf(key);
    checkLoadOptions(options, { packageName, sessionId: key.sessionId });
    const wanted = new Set(ids);
    const file = await this.#guarded(signal, () => readHistoryFile(path));
    // Either somebody writes right now, and then it is whole when the lock is free, or it was cut off.
    const settled = file.hasRest ? await this.#alone(signal, () => readHistoryFile(path)) : file;
    const known = knownIdsOf(settled);
    const earlier = settled.lines.filter(({ place }) => place < before);
    const page = earlier.slice(Math.max(0, earlier.length - (limit ?? earlier.length)));
    const rest = settled.hasRest && before === Number.POSITIVE_INFINITY;
    return {
      records: page.flatMap(({ record }) => record ?? []),
      version: versionOf(settled),
      knownIds: [...wanted].filter((id) => known.has(id)),
      damaged: [
        ...page.flatMap(({ damage }) => damage ?? []),
        ...(rest
          ? [{ reason: 'A write was cut off; the next one removes what is left of it.' }]
          : []),
      ],
    };
  }

  async clear(key: HistoryKey, { signal }: HistoryCallOptions = {}): Promise<void> {
    const path = this.#pathOf(key);
    await this.#alone(signal, () => removeFiles(this.#folder, [path]));
  }

  async replace(
    key: HistoryKey,
    records: readonly (HistoryRecord | NewHistoryRecord)[],
    { signal, version }: ReplaceOptions,
  ): Promise<AppendResult> {
    const { sessionId } = key;
    const path = this.#pathOf(key);
    checkNewRecords(records, { packageName, sessionId });
    const given = records.map((record) => ({ ...record }));
    return this.#alone(signal, async () => {
      const file = await readHistoryFile(path);
      if (version !== versionOf(file)) {
        throw new ConflictError(
          `The history of session ${sessionId} is at version ${versionOf(file)}, not ${version}. Load it again and repeat the change.`,
          { packageName, field: 'version', sessionId },
        );
      }
      const highest = await this.#highest(file);
      const numbered = numberReplacement(given, highest, { packageName, sessionId });
      const number = Math.max(highest, numbered.at(-1)?.sequence ?? 0) + 1;
      return { version: await this.#save(key, file, numbered, number, true), duplicates: [] };
    });
  }

  async *list(
    { actorId }: HistoryFilter,
    { signal }: HistoryCallOptions = {},
  ): AsyncGenerator<HistoryListing> {
    checkId(actorId, 'actorId', { packageName });
    const { found } = await this.#guarded(signal, () =>
      findHistories(this.#folder, actorId, signal),
    );
    for (const { listing } of found.toSorted((one, other) => other.number - one.number)) {
      if (listing !== undefined) yield listing;
    }
  }

  async eraseActor(actorId: string, { signal }: HistoryCallOptions = {}): Promise<number> {
    checkId(actorId, 'actorId', { packageName });
    return this.#alone(signal, async () => {
      const { found, leftovers } = await findHistories(this.#folder, actorId, signal);
      // Nobody can say whose the leftovers are, and nobody was told that they were written.
      await removeFiles(this.#folder, [...found.map(({ path }) => path), ...leftovers]);
      return found.length;
    });
  }

  #pathOf(key: HistoryKey): string {
    return join(this.#folder, historyFileName(key));
  }

  async #highest(file: HistoryFile): Promise<number> {
    return Math.max(await readCounter(this.#folder), file.last?.number ?? 0);
  }

  /** Trims, and writes what is new: at the end of the file if all else stays, or else the whole file anew. */
  async #save(
    key: HistoryKey,
    file: HistoryFile,
    records: readonly HistoryRecord[],
    number: number,
    instead = false,
  ): Promise<string> {
    const path = this.#pathOf(key);
    const actorId = key.actorId ?? file.last?.actorId;
    const updatedAt = timestamp(this.#clock);
    const write = { number, updatedAt, ...(actorId === undefined ? {} : { actorId }) };
    const stored = recordsOf(file);
    const { kept, dropped } = trimRecords(
      instead ? records : [...stored, ...records],
      this.#maxMessages,
    );
    await writeCounter(this.#folder, number);
    if (!instead && dropped.length === 0) {
      const head = file.size === 0 ? headOf(key, []) : undefined;
      await appendWhole(path, file.size, formatWrite(write, records, head));
    } else {
      const stays = new Set(kept.map(({ id }) => id));
      const removed = [
        ...(file.head?.removedIds ?? []),
        ...[...stored, ...dropped].map(({ id }) => id),
      ];
      const unique = [...new Set(removed)].filter((id) => !stays.has(id)).slice(-rememberedIdCount);
      await writeWhole(path, formatWrite(write, kept, headOf(key, unique)));
    }
    return String(number);
  }

  /** Does `work` under the lock of the folder. */
  #alone<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    return this.#guarded(signal, async () => {
      const made = await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      if (made !== undefined) await syncFolder(dirname(made));
      return withFolderLock(this.#folder, signal, work);
    });
  }

  /** Makes errors of the file system errors of a store. */
  async #guarded<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (error) {
      if (MinneError.isInstance(error) || !(error instanceof Error && 'syscall' in error))
        throw error;
      throw new StoreError(
        `The histories in ${this.#folder} could not be read or written: ${error.message}. Look at the folder, its permissions and the room on its disk.`,
        {
          packageName,
          cause: error,
          retryable: hasCode(error, 'ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EBUSY'),
        },
      );
    }
  }
}
