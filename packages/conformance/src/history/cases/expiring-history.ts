import type { AppendResult, HistoryKey, LoadOptions, NewHistoryRecord } from '@minne/core';
import { expect } from 'vitest';
import type { OpenHistoryOptions } from '../history-suite-options.js';
import type { HistoryTestContext, OpenedHistory } from '../history-test-context.js';
import { idsIn, keyOf, recordsOf } from '../sample-records.js';

/** Milliseconds: short, since the kit waits them out; longer ones for a machine that was too slow. */
const times = [250, 750, 2250] as const;

/**
 * Plays a scene on a session that is forgotten after a short time. When it fails and the machine was so
 * slow that the session may rightly have been forgotten early, it is played again with more time.
 */
export async function expireInTime(
  context: HistoryTestContext,
  options: Omit<OpenHistoryOptions, 'ttl'>,
  play: (expiring: ExpiringHistory) => Promise<void>,
): Promise<void> {
  for (const ttl of times) {
    const history = await context.open({ ...options, ttl });
    const scene: Scene = { context, history, ttl, fixed: options.expiry === 'fixed', late: false };
    try {
      await play(new ExpiringHistory(scene, keyOf(`session for ${ttl} ms`)));
      return;
    } catch (error) {
      if (!scene.late || ttl === times.at(-1)) throw error;
    }
  }
}

/** What all sessions of one scene have in common. */
interface Scene {
  readonly context: HistoryTestContext;
  readonly history: OpenedHistory;
  readonly ttl: number;
  readonly fixed: boolean;
  /** Whether a call ended after the session may have been forgotten. */
  late: boolean;
}

/** A session that is forgotten after a time, and when it may be. */
export class ExpiringHistory {
  readonly history: OpenedHistory;
  readonly key: HistoryKey;
  readonly #scene: Scene;
  /** When the time began to count, if the session is to be there. */
  #since: number | undefined;

  constructor(scene: Scene, key: HistoryKey) {
    this.#scene = scene;
    this.history = scene.history;
    this.key = key;
  }

  /** Another source of this session, in the same scene. */
  beside(sourceId: string): ExpiringHistory {
    return new ExpiringHistory(this.#scene, keyOf(this.key.sessionId, sourceId));
  }

  write(...ids: readonly string[]): Promise<AppendResult> {
    return this.#refresh(() => this.history.append(this.key, recordsOf(...ids)));
  }

  replace(records: readonly NewHistoryRecord[], version: string): Promise<AppendResult> {
    return this.#refresh(() => this.history.replace(this.key, records, { version }));
  }

  /** A read that counts as a write. */
  async read(options: LoadOptions): Promise<void> {
    await this.#refresh(() => this.history.load(this.key, options));
  }

  async clear(): Promise<void> {
    await this.history.clear(this.key);
    this.#since = undefined;
  }

  /** Lets a part of the time to live pass, or more than all of it. */
  async wait(part: number): Promise<void> {
    await this.#scene.context.wait(Math.ceil(part * this.#scene.ttl));
    if (part > 1) this.#since = undefined;
  }

  /** Expects just these messages. */
  async expectThere(...ids: readonly string[]): Promise<void> {
    const loaded = await this.history.load(this.key);
    this.#note();
    expect(idsIn(loaded), 'what the session holds before its time is over').toEqual(ids);
  }

  /** Expects that nothing is left. */
  async expectGone(): Promise<void> {
    const loaded = await this.history.load(this.key, { ids: ['m1', 'm2', 'm3'] });
    const { records, knownIds, damaged } = loaded;
    expect({ records, knownIds, damaged }, 'what is left when its time is over').toEqual({
      records: [],
      knownIds: [],
      damaged: [],
    });
    this.#since = undefined;
  }

  async #refresh<Result>(call: () => Promise<Result>): Promise<Result> {
    const begun = this.#scene.context.now();
    const result = await call();
    this.#note();
    if (!this.#scene.fixed || this.#since === undefined) this.#since = begun;
    return result;
  }

  #note(): void {
    const { context, ttl } = this.#scene;
    if (this.#since !== undefined && context.now() - this.#since >= ttl) this.#scene.late = true;
  }
}
