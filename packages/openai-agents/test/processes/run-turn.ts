import { SqliteHistoryBackend } from '@minne/history-sqlite';
import { RunState } from '@openai/agents';
import { MinneSession } from '../../src/index.js';
import { clerk } from '../agents-under-test.js';
import { runnerFor } from '../wire-runner.js';

// Makes one run: of an input, or of a state that waits, whose approvals are given. Prints what came of it.
const [path = '', baseUrl = '', kind, input = ''] = process.argv.slice(2);
const backend = new SqliteHistoryBackend({ path });
const session = new MinneSession({ backend, sessionId: 'session' });
const runner = runnerFor(baseUrl);
if (kind === 'resume') {
  const state = await RunState.fromString(clerk, input);
  for (const interruption of state.getInterruptions()) state.approve(interruption);
  const { finalOutput } = await runner.run(clerk, state, { session });
  console.log(JSON.stringify({ finalOutput }));
} else {
  const answer = await runner.run(clerk, input, { session });
  const waits = answer.interruptions.length > 0;
  const came = waits ? { state: answer.state.toString() } : { finalOutput: answer.finalOutput };
  console.log(JSON.stringify(came));
}
await backend.close();
