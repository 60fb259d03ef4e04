import { setTimeout as wait } from 'node:timers/promises';
import { Agent } from '@minne/core';
import { RecordingChatClient } from '../support/recording-chat-client.js';
import { watchHosts } from './watched-hosts.js';

const [platform = '', models = '', directory = '', telemetry] = process.argv.slice(2);

// As on a machine where nobody has said anything about it.
delete process.env['MEM0_TELEMETRY'];
process.env['MEM0_DIR'] = directory;
const watched = watchHosts();

const { createMem0OpenSourceMemory, createMem0PlatformClient, Mem0ContextProvider } = await import(
  '../../src/index.js'
);
const asked = telemetry === 'asked for' ? { telemetry: true } : {};
const model = { apiKey: 'sk-of-the-test', baseURL: models };
const clients = [
  await createMem0PlatformClient({ apiKey: 'hush-of-the-test', host: platform, ...asked }),
  await createMem0OpenSourceMemory(
    {
      embedder: { provider: 'openai', config: { ...model, embeddingDims: 256 } },
      llm: { provider: 'openai', config: model },
      vectorStore: { provider: 'memory', config: { dimension: 256, dbPath: ':memory:' } },
      disableHistory: true,
    },
    asked,
  ),
];
for (const client of clients) {
  const agent = new Agent({
    chatClient: new RecordingChatClient(),
    contextProviders: [new Mem0ContextProvider({ client, infer: false, onError: 'throw' })],
  });
  const session = agent.createSession({ actorId: 'kim' });
  await agent.run('I liked rain last week', { session });
  await agent.run('What did I like last week?', { session });
}
// Reports are sent without being waited for.
await wait(300);
console.log(JSON.stringify(watched.hosts));
