import { testSessionStore } from '@minne/conformance/session';
import { SqliteSessionStore } from '../src/index.js';
import { damageSession } from './damage-session.js';
import { makeFile } from './temporary-file.js';

testSessionStore({
  name: 'SqliteSessionStore',
  create() {
    const { path, remove } = makeFile();
    return {
      open: () => new SqliteSessionStore({ path, onDiagnostic: () => {} }),
      damage: (sessionId) => damageSession(path, sessionId),
      remove,
    };
  },
  abilities: { durable: true, damage: true },
});

testSessionStore({
  name: 'SqliteSessionStore in memory',
  create: () => ({ open: () => new SqliteSessionStore({ path: ':memory:' }) }),
});
