import type { ChatClient } from '@minne/core';
import { MinneError } from '@minne/core';
import { expect } from 'vitest';
import { settle } from '../../shared/outcomes.js';
import { said, ways } from '../answers.js';
import type { ChatClientCase } from '../chat-client-case.js';

const answer = { kind: 'answer', text: 'I see.' } as const;

/** Saying truly what the service keeps. */
export const storageCases: readonly ChatClientCase[] = [
  {
    name: 'says what its service can keep, and whether it does so unasked',
    async run(context) {
      const { historyStorage, storesByDefault = false } = await context.open();
      expect(['none', 'optional', 'required']).toContain(historyStorage);
      expect(typeof storesByDefault).toBe('boolean');
      if (historyStorage === 'none') expect(storesByDefault).toBe(false);
    },
  },
  {
    name: 'names a conversation at the service when that keeps one, and only then',
    async run(context) {
      const client = await context.open();
      for (const ask of Object.values(ways)) {
        for (const store of [true, false, undefined]) {
          const expected = isKept(client, store);
          if (expected === undefined) continue;
          await context.script(answer);
          const before = context.received;
          const options = store === undefined ? {} : { store };
          const outcome = await settle(ask(client, [said('Remember.')], options));
          if (outcome.status === 'rejected') {
            expect(mayRefuse(client, store), `refused with ${outcome.reason}`).toBe(true);
            expect(MinneError.isInstance(outcome.reason)).toBe(true);
            if (context.received === before) await ask(client, [said('Well?')]);
            continue;
          }
          expect(outcome.value, `store ${store}`).toMatchObject({ keptByService: expected });
        }
      }
    },
  },
  {
    name: 'goes on with a conversation at the service',
    needs: ['serviceHistory'],
    async run(context) {
      const client = await context.open();
      await context.script(answer, answer, answer);
      const first = await client.getResponse([said('I am Kim.')], { store: true });
      const { serviceSessionId } = first;
      if (serviceSessionId === undefined) expect.fail('The service names no conversation.');
      const options = { store: true, serviceSessionId };
      for (const ask of Object.values(ways)) {
        const next = await ask(client, [said('Who am I?')], options);
        expect(next.keptByService).toBe(true);
      }
    },
  },
];

/** Whether a conversation is kept; `undefined` where the contract leaves it open. */
function isKept(client: ChatClient, store: boolean | undefined): boolean | undefined {
  switch (client.historyStorage) {
    case 'none':
      return false;
    case 'required':
      return store === false ? undefined : true;
    case 'optional':
      return store ?? client.storesByDefault ?? false;
  }
}

/** A service that keeps nothing may be asked to keep something only by mistake. */
function mayRefuse(client: ChatClient, store: boolean | undefined): boolean {
  return client.historyStorage === 'none' && store === true;
}
