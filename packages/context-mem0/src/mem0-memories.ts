import type { MinneError } from '@minne/core';
import { checkClient } from './check-client.js';
import {
  type FoundMemory,
  maximumResults,
  mergeFoundMemories,
  readFoundMemories,
  resultCount,
} from './found-memories.js';
import {
  isPlatform,
  type Mem0AddOptions,
  type Mem0Client,
  type Mem0ClientSource,
  type Mem0Message,
} from './mem0-client.js';
import { mem0Failure } from './mem0-failure.js';
import type { Mem0Scope } from './mem0-scope.js';
import { checkOpenSourceScope, type SearchLeg, searchLegs } from './search-legs.js';
import { hasUnaskedTelemetry } from './telemetry.js';
import { type CallLimits, withinLimits } from './within-limits.js';

/** How a search is made. */
export interface MemorySearch {
  readonly query: string;
  readonly scope: Mem0Scope;
  readonly limit: number;
  readonly threshold: number | undefined;
}

/** What a search gave. One of two searches may fail and the other find something. */
export interface MemorySearchResult {
  readonly memories: readonly FoundMemory[];
  readonly failures: readonly MinneError[];
}

/** What is stored. */
export interface MemoryAddition {
  readonly messages: readonly Mem0Message[];
  readonly scope: Mem0Scope;
  readonly metadata: Readonly<Record<string, string>>;
  readonly infer: boolean | undefined;
}

/** How many times `limit` the open-source client is first asked for an agent's memories, some of which may be left out. */
const agentSearchFactor = 4;

/** Memories in Mem0, whichever of its clients leads there. */
export class Mem0Memories {
  readonly #source: Mem0ClientSource;
  #opened: Promise<Mem0Client> | undefined;
  #hasTelemetryNotice: boolean;

  constructor(source: Mem0ClientSource) {
    this.#source = source;
    this.#hasTelemetryNotice = hasUnaskedTelemetry(source);
  }

  /** Whether it is to be said that the client has telemetry which nobody asked for: true once. */
  takeTelemetryNotice(): boolean {
    const isDue = this.#hasTelemetryNotice;
    this.#hasTelemetryNotice = false;
    return isDue;
  }

  /** Never throws but the signal's reason and what is wrong with the scope. */
  async search(search: MemorySearch, limits: CallLimits): Promise<MemorySearchResult> {
    const opened = await this.#tryOpen(limits);
    if ('failure' in opened) return { memories: [], failures: [opened.failure] };
    const { client } = opened;
    const legs = searchLegs(search.scope, isPlatform(client));
    const outcomes = await Promise.allSettled(
      legs.map((leg) => withinLimits('a search', () => searchLeg(client, leg, search), limits)),
    );
    limits.signal.throwIfAborted();
    const found: (readonly FoundMemory[])[] = [];
    const failures: MinneError[] = [];
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') found.push(outcome.value);
      else failures.push(mem0Failure('search', outcome.reason, secretOf(client)));
    }
    return { memories: mergeFoundMemories(found, search.limit), failures };
  }

  /** @returns What went wrong. Throws nothing but the signal's reason and what is wrong with the scope. */
  async add(addition: MemoryAddition, limits: CallLimits): Promise<MinneError | undefined> {
    const opened = await this.#tryOpen(limits);
    if ('failure' in opened) return opened.failure;
    const { client } = opened;
    const { messages, scope } = addition;
    const options = addOptions(addition, client);
    if (!isPlatform(client)) checkOpenSourceScope(scope);
    // The clients are given copies, which are theirs to change.
    const turns = messages.map(({ role, content }) => ({ role, content }));
    try {
      await withinLimits('an addition', async () => client.add(turns, options), limits);
      return undefined;
    } catch (error) {
      limits.signal.throwIfAborted();
      return mem0Failure('store', error, secretOf(client));
    }
  }

  async #tryOpen(
    limits: CallLimits,
  ): Promise<{ readonly client: Mem0Client } | { readonly failure: MinneError }> {
    try {
      const client = await withinLimits('the making of its client', () => this.#open(), limits);
      return { client };
    } catch (error) {
      limits.signal.throwIfAborted();
      return { failure: mem0Failure('start', error, undefined) };
    }
  }

  #open(): Promise<Mem0Client> {
    this.#opened ??= this.#makeClient().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  async #makeClient(): Promise<Mem0Client> {
    if (typeof this.#source !== 'function') return this.#source;
    const client: unknown = await this.#source();
    checkClient(client);
    this.#hasTelemetryNotice = hasUnaskedTelemetry(client);
    return client;
  }
}

/**
 * One of the searches. The open-source client may fill an answer about an agent with memories that are
 * somebody's with that agent; it is asked once more then, for as many as are looked at.
 */
async function searchLeg(
  client: Mem0Client,
  { owner, filters }: SearchLeg,
  { query, scope, limit, threshold }: MemorySearch,
): Promise<readonly FoundMemory[]> {
  const ask = async (topK: number): Promise<unknown> =>
    client.search(query, { filters, topK, ...(threshold === undefined ? {} : { threshold }) });
  const isMixed = owner === 'agent' && !isPlatform(client);
  const topK = isMixed ? limit * agentSearchFactor : limit;
  const answer = await ask(topK);
  const found = readFoundMemories(answer, scope, owner);
  if (!isMixed || found.length >= limit || resultCount(answer) < topK) return found;
  return readFoundMemories(await ask(maximumResults), scope, owner);
}

/**
 * Both clients take the ids beside the messages. The open-source one drops an `appId`, so that goes into
 * the metadata, under the name that a filter finds it by.
 */
function addOptions(
  { scope, metadata, infer }: MemoryAddition,
  client: Mem0Client,
): Mem0AddOptions {
  const { appId, ...rest } = scope;
  const platform = isPlatform(client);
  return {
    ...rest,
    ...(platform && appId !== undefined ? { appId } : {}),
    ...(infer === undefined ? {} : { infer }),
    metadata: { ...metadata, ...(!platform && appId !== undefined ? { app_id: appId } : {}) },
  };
}

function secretOf(client: Mem0Client): string | undefined {
  return isPlatform(client) && typeof client.apiKey === 'string' ? client.apiKey : undefined;
}
