import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { FileSessionStore } from '../src/index.js';
import { temporaryFolder } from './temporary-folder.js';

// One fixture for every layout that was ever released.
it('reads a folder of layout 1 and goes on with it', async () => {
  const folder = temporaryFolder();
  cpSync(fileURLToPath(new URL('fixtures/layout-1', import.meta.url)), folder, { recursive: true });
  const store = new FileSessionStore({ folder });
  const session = {
    type: 'minne.session',
    v: 1,
    sessionId: 'Chat/7',
    actorId: 'kim',
    state: { notes: { text: 'kept' } },
  } as const;
  const version = '1777629600000-7b6b962c1fd28bfe';
  const updatedAt = '2026-05-01T10:00:00.000Z';
  expect(await store.get('Chat/7')).toEqual({ session, version, updatedAt });
  const listing = { sessionId: 'Chat/7', actorId: 'kim', version, updatedAt };
  expect(await Array.fromAsync(store.list({ actorId: 'kim' }))).toEqual([listing]);
  const written = await store.set({ ...session, state: {} }, { version });
  expect((await store.get('Chat/7'))?.version).toBe(written.version);
  expect((await Array.fromAsync(store.list())).length).toBe(1);
});
