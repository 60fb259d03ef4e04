import { RedisHistoryBackend } from '../../src/index.js';
import { turnOf } from './turn.js';

// Appends turns to one session, and prints the name of each when it is acknowledged.
const [url = '', writer = '', turns = ''] = process.argv.slice(2);
const backend = new RedisHistoryBackend({ url, commandTimeout: 60_000 });
for (let turn = 0; turn < Number(turns); turn++) {
  const name = `${writer}.${turn}`;
  const { duplicates } = await backend.append(
    { sessionId: 'session', sourceId: 'history', actorId: 'kim' },
    turnOf(name),
  );
  if (duplicates.length > 0) throw new Error(`${name} was there before it was written.`);
  process.stdout.write(`${name}\n`);
}
await backend.close();
