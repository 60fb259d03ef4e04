import { hasErrorCode } from '@minne/core';
import { FileSessionStore } from '../../src/index.js';
import { countedSession, countIn } from './counted-session.js';

// Adds one to a session so many times, each time under the version that it has read.
const [folder = '', times = ''] = process.argv.slice(2);
const store = new FileSessionStore({ folder });
for (let done = 0; done < Number(times); ) {
  const stored = await store.get('session');
  const next = countedSession('session', countIn(stored) + 1);
  try {
    await store.set(next, { version: stored?.version ?? null });
    done += 1;
  } catch (error) {
    if (!hasErrorCode(error, 'conflict')) throw error;
  }
}
