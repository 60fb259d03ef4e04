import { type ChatClientError, hasErrorCode } from '@minne/core';
import { expect } from 'vitest';
import { settleWithin } from '../../shared/outcomes.js';
import { type Ask, said, ways } from '../answers.js';
import type { ChatClientCase } from '../chat-client-case.js';
import { type ChatClientTestContext, patience } from '../chat-client-test-context.js';
import type { ScriptedReply } from '../scripted-reply.js';

/** Saying what went wrong. */
export const errorCases: readonly ChatClientCase[] = [
  {
    name: 'throws a ChatClientError that is retryable when the service is overloaded',
    async run(context) {
      for (const ask of Object.values(ways)) {
        const error = await failureOf(context, ask, { kind: 'error', retryable: true });
        expect(error.retryable).toBe(true);
      }
    },
  },
  {
    name: 'throws a ChatClientError that is not retryable when the service refuses the request',
    async run(context) {
      for (const ask of Object.values(ways)) {
        const error = await failureOf(context, ask, { kind: 'error', retryable: false });
        expect(error.retryable).toBe(false);
      }
    },
  },
  {
    name: 'throws a ChatClientError when the connection breaks, and never takes a part for the whole',
    async run(context) {
      for (const ask of Object.values(ways)) {
        const error = await failureOf(context, ask, { kind: 'cut', text: 'Once upon a time' });
        expect(error.retryable).toBe(true);
      }
    },
  },
  {
    name: 'throws nothing when a stream is asked for, but when it is read',
    async run(context) {
      const client = await context.scripted({ kind: 'error', retryable: false });
      const stream = client.getStreamingResponse([said('Tell me.')]);
      const reading = settleWithin(Array.fromAsync(stream), patience);
      expect(await reading).toMatchObject({ status: 'rejected' });
    },
  },
];

/** The error that a call fails with. */
async function failureOf(
  context: ChatClientTestContext,
  ask: Ask,
  reply: ScriptedReply,
): Promise<ChatClientError> {
  const client = await context.scripted(reply);
  const outcome = await settleWithin(ask(client, [said('Tell me.')]), patience);
  if (outcome === 'pending' || outcome.status === 'fulfilled') {
    expect.fail(outcome === 'pending' ? 'The call does not end.' : 'The call gave an answer.');
  }
  const error: unknown = outcome.reason;
  expect(hasErrorCode(error, 'chat_client_failed'), `it fails with ${error}`).toBe(true);
  expect(String(error), 'it says something').toMatch(/\w+ \w+/);
  return error as ChatClientError;
}
