import { SqliteHistoryBackend } from '@minne/history-sqlite';
import { MinneSession } from '../../src/index.js';
import { assistant, outline, user } from '../items.js';

// Adds turns, or takes items back, each as often as it is told, and prints what it was.
const [path = '', kind, name = '', count = '0'] = process.argv.slice(2);
const backend = new SqliteHistoryBackend({ path });
const session = new MinneSession({ backend, sessionId: 'session' });
for (let turn = 0; turn < Number(count); turn += 1) {
  if (kind === 'add') {
    await session.addItems([user(`${name}.${turn}`), assistant(`${name}.${turn}`)]);
    console.log(`${name}.${turn}`);
  } else {
    const item = await session.popItem();
    if (item !== undefined) console.log(outline([item])[0]);
  }
}
await backend.close();
