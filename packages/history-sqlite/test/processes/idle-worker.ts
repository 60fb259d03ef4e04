import { SqliteHistoryBackend } from '../../src/index.js';
import { turnOf } from './turn.js';

// Uses a worker, does not close it, and ends all the same: the idle thread must not hold it.
const [path = ''] = process.argv.slice(2);
const backend = new SqliteHistoryBackend({ path, worker: true });
const { version } = await backend.append({ sessionId: 's', sourceId: 'history' }, turnOf('t'));
process.stdout.write(`${version}\n`);
