import { PostgresHistoryBackend } from '../../src/index.js';
import { turnOf } from './turn.js';

// Several writers, each on connections of its own, append turns to one session; each turn is printed when it
// is acknowledged.
const [connectionString = '', schema = '', name = '', writers = '', turns = ''] =
  process.argv.slice(2);

async function write(writer: string): Promise<void> {
  const backend = new PostgresHistoryBackend({
    connectionString,
    schema,
    statementTimeout: 60_000,
  });
  for (let turn = 0; turn < Number(turns); turn++) {
    const { duplicates } = await backend.append(
      { sessionId: 'session', sourceId: 'history', actorId: 'kim' },
      turnOf(`${writer}.${turn}`),
    );
    if (duplicates.length > 0)
      throw new Error(`${writer}.${turn} was there before it was written.`);
    process.stdout.write(`${writer}.${turn}\n`);
  }
  await backend.close();
}

await Promise.all(Array.from({ length: Number(writers) }, (_, index) => write(`${name}${index}`)));
