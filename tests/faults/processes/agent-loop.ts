import { agentOver } from '../agent-runs.js';
import { openBackend } from '../open-backend.js';

// Runs an agent on a session, and prints what was said in each run when it is over.
const [kind = '', address = '', sessionId = '', writer = '', turns = ''] = process.argv.slice(2);
const backend = await openBackend(kind, address);
const agent = agentOver(backend);
const session = agent.createSession({ sessionId });
for (let turn = 0; turn < Number(turns); turn++) {
  const name = `${writer}.${turn}`;
  await agent.run(name, { session });
  process.stdout.write(`${name}\n`);
}
await backend.close();
