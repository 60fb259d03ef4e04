import { testHistoryBackend } from '@minne/conformance/history';
import { SessionHistoryBackend } from '@minne/core';

testHistoryBackend({
  name: 'SessionHistoryBackend',
  abilities: { replace: true, durable: true, trimming: true, damage: true },
  create: () => ({
    open: (options) => new SessionHistoryBackend(options),
    damage: (_key, state) => {
      const history = JSON.stringify(state['history']);
      state['history'] = JSON.parse(history.replace('"kind":"user"', '"kind":"nobody"'));
    },
  }),
});
