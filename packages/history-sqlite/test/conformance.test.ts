import { DatabaseSync } from 'node:sqlite';
import { testHistoryBackend } from '@minne/conformance/history';
import { SqliteHistoryBackend } from '../src/index.js';
import { abilities, fileStore } from './history-file.js';
import { movableClock } from './movable-clock.js';

testHistoryBackend({
  name: 'SqliteHistoryBackend',
  abilities: { ...abilities, durable: true, damage: true },
  create: () => fileStore({}),
});

testHistoryBackend({
  name: 'SqliteHistoryBackend in memory',
  abilities,
  create: () => {
    const { clock, advance } = movableClock();
    return {
      open: (options) => new SqliteHistoryBackend({ path: ':memory:', clock, ...options }),
      advance,
    };
  },
});

testHistoryBackend({
  name: 'SqliteHistoryBackend on a database of your own',
  abilities: { ...abilities, durable: true },
  create: () => {
    const { clock, advance } = movableClock();
    const database = new DatabaseSync(':memory:');
    return {
      open: (options) => new SqliteHistoryBackend({ database, clock, ...options }),
      advance,
      remove: () => database.close(),
    };
  },
});
