import { testChatClient } from '@minne/conformance/chat-client';
import { startWireService } from './wire-chat-service.js';
import { clientOf, responsesClientOf } from './wire-fixture.js';

const abilities = {
  requests: true,
  toolCalls: true,
  interleavedToolCalls: true,
  usage: true,
  reasoning: true,
};

testChatClient({
  name: 'OpenAIChatCompletionClient',
  abilities,
  create: () =>
    startWireService({
      open: clientOf,
      // The first chunk has the role alone.
      chunksToText: 3,
      usage: (input, output) => ({
        prompt_tokens: input,
        completion_tokens: output,
        total_tokens: input + output,
      }),
    }),
});

for (const storesByDefault of [true, false]) {
  testChatClient({
    name: `OpenAIResponsesClient that ${storesByDefault ? 'stores' : 'does not store'} by default`,
    abilities: { ...abilities, serviceHistory: true },
    create: () =>
      startWireService({
        open: (server) => responsesClientOf(server, { storesByDefault }),
        // The response, its item and its part are announced.
        chunksToText: 6,
        usage: (input, output) => ({
          input_tokens: input,
          output_tokens: output,
          total_tokens: input + output,
        }),
      }),
  });
}
