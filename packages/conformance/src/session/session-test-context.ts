import { expect } from 'vitest';
import type { OpenedSessionStore, SessionTestPlace } from './session-suite-options.js';

/** What a case works with: one place, and the stores opened on it. */
export class SessionTestContext {
  readonly #place: SessionTestPlace;
  #opened: OpenedSessionStore[] = [];

  constructor(place: SessionTestPlace) {
    this.#place = place;
  }

  /** Opens a store on the place of this case. */
  async open(): Promise<OpenedSessionStore> {
    const store = await this.#place.open();
    this.#opened.push(store);
    return store;
  }

  /** Closes every store and opens another one. */
  async reopen(): Promise<OpenedSessionStore> {
    await this.#close();
    return this.open();
  }

  /** Spoils what is stored of a session. */
  async damage(sessionId: string): Promise<void> {
    if (this.#place.damage === undefined) {
      expect.fail('The suite declares damage and its place has no such method.');
    }
    await this.#place.damage(sessionId);
  }

  /** Ends the case. */
  async dispose(): Promise<void> {
    try {
      await this.#close();
    } finally {
      await this.#place.remove?.();
    }
  }

  async #close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = [];
    for (const store of opened) await store.close?.();
  }
}
