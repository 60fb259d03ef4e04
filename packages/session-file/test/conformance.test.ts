import { testSessionStore } from '@minne/conformance/session';
import { FileSessionStore } from '../src/index.js';
import { damageSession } from './damage-session.js';
import { makeFolder } from './temporary-folder.js';

testSessionStore({
  name: 'FileSessionStore',
  create() {
    const { folder, remove } = makeFolder();
    return {
      open: () => new FileSessionStore({ folder, onDiagnostic: () => {} }),
      damage: (sessionId) => damageSession(folder, sessionId),
      remove,
    };
  },
  abilities: { durable: true, damage: true },
});
