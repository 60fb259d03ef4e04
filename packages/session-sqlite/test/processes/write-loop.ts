import { SqliteSessionStore } from '../../src/index.js';
import { countedSession, countIn } from './counted-session.js';

// Counts up in one session, and makes and deletes another, until it is killed.
const [path = ''] = process.argv.slice(2);
const store = new SqliteSessionStore({ path, busyTimeout: 60_000 });
for (let count = countIn(await store.get('kept')) + 1; ; count++) {
  await store.set(countedSession('kept', count));
  process.stdout.write(`kept ${count}\n`);
  await store.set(countedSession('passing', count), { version: null });
  process.stdout.write(`passing ${count}\n`);
  if (!(await store.delete('passing'))) throw new Error(`passing ${count} was not there.`);
  process.stdout.write('passing 0\n');
}
