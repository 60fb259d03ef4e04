import { openBackend } from '../open-backend.js';
import { faultSource, turnOf } from '../turn.js';

// Appends turns to a session, and prints the name of each when it is acknowledged.
const [kind = '', address = '', sessionId = '', writer = '', turns = ''] = process.argv.slice(2);
const backend = await openBackend(kind, address);
for (let turn = 0; turn < Number(turns); turn++) {
  const name = `${writer}.${turn}`;
  const { duplicates } = await backend.append({ sessionId, sourceId: faultSource }, turnOf(name));
  if (duplicates.length > 0) throw new Error(`${name} was there before it was written.`);
  process.stdout.write(`${name}\n`);
}
await backend.close();
