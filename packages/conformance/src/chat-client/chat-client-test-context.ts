import type { ChatClient } from '@minne/core';
import { expect } from 'vitest';
import { settleWithin, until } from '../shared/outcomes.js';
import type { ChatTestService } from './chat-client-suite-options.js';
import type { ScriptedReply } from './scripted-reply.js';

/** Milliseconds in which a client must have reacted. */
export const patience = 2_000;

/** What a case works with: a service of its own. */
export class ChatClientTestContext {
  readonly #service: ChatTestService;

  constructor(service: ChatTestService) {
    this.#service = service;
  }

  async open(): Promise<ChatClient> {
    return this.#service.open();
  }

  /** Opens a client whose service will reply so. */
  async scripted(...replies: readonly ScriptedReply[]): Promise<ChatClient> {
    await this.script(...replies);
    return this.open();
  }

  async script(...replies: readonly ScriptedReply[]): Promise<void> {
    await this.#service.script(...replies);
  }

  get received(): number {
    return this.#service.received();
  }

  /** The body of the newest request. */
  get sent(): string {
    if (this.#service.sent === undefined) {
      throw new Error('The ability requests is declared, but the test service has no sent().');
    }
    return this.#service.sent();
  }

  /** Waits until so many requests have come in. */
  async untilReceived(count: number): Promise<void> {
    await until(() => this.received >= count, `${count} requests had come in`, patience);
  }

  /** Expects that every request ends soon. */
  async expectIdle(): Promise<void> {
    expect(await settleWithin(this.#service.idle(), patience), 'the request ends').not.toBe(
      'pending',
    );
  }

  /** Ends the case. */
  async dispose(): Promise<void> {
    await this.#service.remove?.();
  }
}
