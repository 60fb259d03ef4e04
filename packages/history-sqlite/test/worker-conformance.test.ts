import './worker-on-sources.js';
import { testHistoryBackend } from '@minne/conformance/history';
import { vi } from 'vitest';
import { abilities, fileStore } from './history-file.js';

// A thread takes a second or more to start on sources while other tests run.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

testHistoryBackend({
  name: 'SqliteHistoryBackend in a worker',
  abilities: { ...abilities, durable: true, damage: true },
  create: () => fileStore({ worker: true }),
});
