import {
  HistoryProvider,
  InvalidInputError,
  type JsonValue,
  SessionHistoryBackend,
} from '@minne/core';
import { expect, it } from 'vitest';
import { EncryptedHistoryBackend } from '../src/index.js';
import { keys } from './keys.js';

it('keeps the messages of a provider, which sees nothing of it, and the session holds none in the clear', async () => {
  const backend = new EncryptedHistoryBackend({
    backend: new SessionHistoryBackend(),
    keys,
    currentKeyId: 'k1',
  });
  const history = new HistoryProvider({ backend });
  const state: Record<string, Record<string, JsonValue>> = {};
  const session = { sessionId: 'chat-7', state };
  const message = {
    id: 'm1',
    role: 'user' as const,
    contents: [{ type: 'text' as const, text: 'My door code is 4711.' }],
    createdAt: '2026-05-01T10:00:00.000Z',
  };
  const { version } = await history.getMessages(session);
  await history.setMessages(session, [message], { version });
  expect((await history.getMessages(session)).messages).toEqual([message]);
  expect(JSON.stringify(state)).not.toContain('4711');
  expect(JSON.stringify(state)).toContain('minne-encrypted:1:k1:');
});

it('refuses bad records as its own, and shows nothing of them', async () => {
  const backend = new EncryptedHistoryBackend({
    backend: new SessionHistoryBackend(),
    keys,
    currentKeyId: 'k1',
  });
  const record = { v: 1, id: 'm1', group: 'm1', kind: 'user' as const, payload: 'secret \ud800' };
  const call = backend.append({ sessionId: 's', sourceId: 'h' }, [record], { state: {} });
  const error = await call.catch((reason: unknown) => reason);
  if (!InvalidInputError.isInstance(error)) throw new Error('It was not refused.');
  expect(error.packageName).toBe('@minne/history-encrypted');
  expect(error.message).not.toContain('secret');
});
