import { Agent, type ChatMessageInit, type Content, HistoryProvider } from '@minne/core';
import { describe, expect, it } from 'vitest';
import { MemoryBackend } from './memory-backend.js';
import { ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { ways } from './ways.js';

const metadata = { 'minne.item_id': 'item_1', nested: { a: [null, ''] } };

/** One of each type, with every field, and with what trips stores up. */
const contents: readonly Content[] = [
  { type: 'text', text: '' },
  { type: 'text', text: 'a\u0000b \\u0000 \u2028 👩‍👩‍👧 \ud83d', metadata },
  { type: 'reasoning', text: '', protectedData: 'gAAAA==' },
  { type: 'data', data: 'AAEC', mediaType: 'image/png', name: 'ü.png' },
  { type: 'uri', uri: 'https://example.com/?q=ä', mediaType: 'text/html' },
  { type: 'hosted_file', fileId: 'file-1', mediaType: 'application/pdf' },
  toolCall('call_1', 'work', '{ "a" : 1.0, "a": 2 }'),
  { type: 'tool_result', callId: 'call_1', result: { zero: 0, none: null, no: false, text: '' } },
  { type: 'tool_result', callId: 'call_2', result: null, error: '' },
  { type: 'approval_request', id: 'r', toolCall: toolCall('call_3', 'work', {}) },
  { type: 'approval_response', id: 'r', approved: false, reason: 'no' },
  { type: 'usage', usage: { inputTokens: 1, cachedInputTokens: 0 } },
  { type: 'error', message: 'refused', code: 'content_filter' },
  { type: 'hologram', beams: [{ deep: [true] }] } as never,
];

const input: ChatMessageInit = {
  id: 'm1',
  role: 'user',
  contents,
  authorName: 'Ann',
  createdAt: '2026-01-01T00:00:00.000Z',
  metadata: { mine: 1, undefinedIsAbsent: undefined },
};
const kept = { ...input, metadata: { 'minne.claimed_request': true, mine: 1 } };

describe.each(ways)('every type of content, by $way', ({ ask }) => {
  it('comes back as it was, from a store and from a resumed session', async () => {
    for (const contextProviders of [[new HistoryProvider({ backend: new MemoryBackend() })], []]) {
      const agent = new Agent({ chatClient: new ScriptedChatClient(['ok']), contextProviders });
      const session = agent.createSession();
      await ask(agent, input, { session });
      const resumed = agent.deserializeSession(
        JSON.parse(JSON.stringify(agent.serializeSession(session))),
      );
      let history: unknown;
      const chatClient = new ScriptedChatClient(['ok']);
      const watching = new Agent({
        chatClient,
        contextProviders: [
          ...contextProviders,
          {
            specificationVersion: 'v1',
            sourceId: 'watching',
            beforeRun: async (context) => {
              [history] = context.history;
              return undefined;
            },
          },
        ],
      });
      await ask(watching, 'again', { session: resumed });
      expect(history).toEqual(kept);
      expect(chatClient.calls[0]?.messages[0]?.contents.map(({ type }) => type)).toEqual([
        'text',
        'text',
        'reasoning',
        'data',
        'uri',
        'hosted_file',
        'tool_call',
      ]);
    }
  });
});
