import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { localPrincipal, MemoryEngine } from '@minne/memory-engine';
import { expect, it, onTestFinished } from 'vitest';
import { testStorage } from './temporary-database.js';

it('every statement for an actor goes by an index, so that other actors cost nothing', async () => {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  const statements = recordStatements(database);
  let now = Date.parse('2026-05-01T10:00:00.000Z');
  const engine = new MemoryEngine({
    storage: testStorage({ database }),
    clock: () => new Date(now),
  });
  const store = await engine.openStore('notes');
  statements.clear();
  const actorId = 'kim';
  for (let index = 0; index < 5; index++) {
    await store.put({ actorId, path: `/a/${index}`, content: 'token' });
  }
  const { id } = await store.add(
    { actorId, path: '/b', sessionId: 's', content: 'x', expireTime: '2026-05-01T11:00:00Z' },
    { id: 'one' },
  );
  await store.put({ actorId, path: '/a/1', content: 'more' }, { append: true });
  await store.get(id, { view: 'BASIC' });
  await store.update(id, { description: 'd' });
  for (const filter of [
    {},
    { path: '/a/1' },
    { sessionId: 's' },
    { pathPrefix: '/a/' },
    { pathPrefix: '/a/', sessionId: 's' },
  ]) {
    await Array.fromAsync(store.list({ actorId, ...filter }, { pageSize: 1 }));
    await store.listPage({ actorId, ...filter }, { view: 'BASIC' });
  }
  await store.search({ actorId, query: 'token' });
  await store.search({ actorId, query: 'token' }, { view: 'BASIC' });
  now += 2 * 60 * 60 * 1000;
  await store.add({ actorId, path: '/c' }, { id });
  await store.delete(id);
  await engine.updateStore(localPrincipal, 'notes', { description: 'd' });
  expect(statements.size).toBeGreaterThan(20);
  for (const sql of statements) expect(scansOf(database, sql), sql).toEqual([]);
});

/** The texts of the statements that are prepared from now on. */
function recordStatements(database: DatabaseSync): Set<string> {
  const statements = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  database.prepare = (sql: string): StatementSync => {
    statements.add(sql);
    return prepare.call(database, sql);
  };
  return statements;
}

/** The steps in which SQLite reads a whole table or sorts; the list of ids that a statement is given is none. */
function scansOf(database: DatabaseSync, sql: string): string[] {
  const plan = DatabaseSync.prototype.prepare.call(database, `EXPLAIN QUERY PLAN ${sql}`).all();
  return plan
    .map((step) => String(step['detail']))
    .filter((step) => /SCAN|TEMP B-TREE/.test(step) && !step.startsWith('SCAN json_each'));
}
