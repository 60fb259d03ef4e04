import {
  adaptInvokingProvider,
  HistoryProvider,
  type InvokingProvider,
  messageText,
  SessionHistoryBackend,
} from '@minne/core';
import { testContextProvider } from '../src/context-provider/index.js';

testContextProvider({
  name: 'HistoryProvider over SessionHistoryBackend',
  create: () => ({ open: () => new HistoryProvider({ backend: new SessionHistoryBackend() }) }),
});

testContextProvider({
  name: 'HistoryProvider that only records',
  create: () => ({
    open: () =>
      new HistoryProvider({
        backend: new SessionHistoryBackend(),
        sourceId: 'audit',
        loadMessages: false,
      }),
  }),
});

testContextProvider({
  name: 'a provider of the older shape',
  create() {
    const asked: string[] = [];
    const provider: InvokingProvider = {
      async invoking({ requestMessages, signal }) {
        signal.throwIfAborted();
        const length = requestMessages.map(messageText).join('').length;
        return { instructions: length < 100 ? 'Answer in one sentence.' : 'Take your time.' };
      },
      async invoked({ requestMessages }) {
        asked.push(...requestMessages.map(messageText));
      },
    };
    return { open: () => adaptInvokingProvider('length_hint', provider) };
  },
});
