import { MemoryEngine } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '../../src/index.js';

// Writes entries of its own and lines of a common one, and prints the name of each when it is acknowledged.
const [path = '', writer = '', turns = ''] = process.argv.slice(2);
const storage = new SqliteMemoryStorage({ path, busyTimeout: 60_000 });
const store = await new MemoryEngine({ storage, writeTimeout: 60_000 }).openStore('notes');
for (let turn = 0; turn < Number(turns); turn++) {
  const name = `${writer}x${turn}`;
  await store.put({ actorId: 'kim', path: `/own/${name}`, content: `token ${name}` });
  await store.put({ actorId: 'kim', path: '/common', content: name }, { append: true });
  process.stdout.write(`${name}\n`);
}
await storage.close();
