import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { SqliteSessionStore } from '../src/index.js';
import { temporaryFile } from './temporary-file.js';

// One fixture for every layout that was ever released.
it('reads a file of layout 1 and goes on with it', async () => {
  const path = temporaryFile();
  const database = new DatabaseSync(path);
  database.exec(readFileSync(new URL('fixtures/schema-1.sql', import.meta.url), 'utf8'));
  database.close();
  const store = new SqliteSessionStore({ path });
  onTestFinished(() => store.close());
  const session = {
    type: 'minne.session',
    v: 1,
    sessionId: 'Chat/7',
    actorId: 'kim',
    state: { notes: { text: 'kept' } },
  } as const;
  const stamp = { version: '7', updatedAt: '2026-05-01T10:00:00.000Z' };
  expect(await store.get('Chat/7')).toEqual({ session, ...stamp });
  const listing = { sessionId: 'Chat/7', actorId: 'kim', ...stamp };
  expect(await Array.fromAsync(store.list({ actorId: 'kim' }))).toEqual([listing]);
  const ids = (await Array.fromAsync(store.list())).map(({ sessionId }) => sessionId);
  expect(ids).toEqual(['Chat/7', 'other']);
  // 8 and 9 had been given out.
  expect((await store.set(session, { version: '7' })).version).toBe('10');
});
