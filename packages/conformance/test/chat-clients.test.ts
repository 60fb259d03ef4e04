import { testChatClient } from '../src/chat-client/index.js';
import { ReferenceChatClient } from './reference-chat-client.js';
import { startChatService } from './reference-chat-service.js';

const abilities = {
  toolCalls: true,
  interleavedToolCalls: true,
  usage: true,
  reasoning: true,
  requests: true,
};

for (const historyStorage of ['none', 'optional', 'required'] as const) {
  testChatClient({
    name: `a client over HTTP whose service keeps history: ${historyStorage}`,
    create: () => startChatService(ReferenceChatClient, historyStorage),
    abilities: { ...abilities, serviceHistory: historyStorage !== 'none' },
  });
}
