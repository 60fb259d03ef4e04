import type { ContextProvider, RunContext, RunOutcome, SessionState } from '@minne/core';
import { expect } from 'vitest';
import { settleWithin } from '../../shared/outcomes.js';
import type { ContextProviderCase } from '../context-provider-case.js';

/** Milliseconds that a hook has to end in once its signal has aborted. */
const patience = 2_000;

const reason = new Error('stopped by the caller');

/** Ending when told to. The hooks are called as an agent calls them. */
export const signalCases: readonly ContextProviderCase[] = [
  {
    name: 'does nothing in a hook whose signal has aborted before',
    async run(context) {
      const world = await context.world();
      const provider = await world.open();
      const state: SessionState = {};
      for (const [name, call] of hooksOf(provider, state)) {
        const outcome = await settleWithin(call(AbortSignal.abort(reason)), patience);
        expect(outcome, `${name} ends`).not.toBe('pending');
        if (outcome !== 'pending' && outcome.status === 'rejected') {
          expect(outcome.reason, `${name} rejects with the reason of the signal`).toBe(reason);
        }
        expect(state, `${name} leaves the session as it was`).toEqual({});
      }
    },
  },
  {
    name: 'ends a hook that is waiting when its signal aborts, with the reason',
    needs: ['stall'],
    async run(context) {
      const world = await context.world();
      const provider = await world.open();
      await world.stall();
      for (const [name, call] of hooksOf(provider, {})) {
        const controller = new AbortController();
        const calling = call(controller.signal);
        expect(await settleWithin(calling, 50), `${name} waits`).toBe('pending');
        controller.abort(reason);
        expect(await settleWithin(calling, patience), name).toEqual({ status: 'rejected', reason });
      }
    },
  },
];

/** The hooks that a provider has, ready to be called. */
function hooksOf(
  provider: ContextProvider,
  state: SessionState,
): readonly (readonly [string, (signal: AbortSignal) => Promise<unknown>])[] {
  const message = {
    id: 'm1',
    role: 'user',
    contents: [{ type: 'text', text: 'one' }],
    createdAt: '2026-05-01T10:00:00.000Z',
  } as const;
  const run: RunContext = {
    runId: 'run',
    operationId: undefined,
    agentName: undefined,
    session: { sessionId: 'session', actorId: 'kim', state: { [provider.sourceId]: state } },
    state,
    historyOwner: 'provider',
    input: [message],
    callerIds: [],
    history: [],
    warn: () => {},
  };
  const answer = { ...message, id: 'm2', role: 'assistant' } as const;
  const outcome: RunOutcome = {
    status: 'completed',
    input: [message],
    context: [],
    output: [answer],
  };
  return [
    ['beforeRun', async (signal) => provider.beforeRun?.(run, { signal })],
    ['afterRun', async (signal) => provider.afterRun?.(run, outcome, { signal })],
  ];
}
