import { Agent, type ChatClient } from '../../packages/core/src/index.js';
import { SqliteHistoryProvider } from '../../packages/history-sqlite/src/index.js';

// One run on a session that is stored in a file: `path`, `sessionId` and what is said are the arguments.
const [path = '', sessionId = '', text = ''] = process.argv.slice(2);
const chatClient: ChatClient = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  getResponse: async () => ({ messages: [{ role: 'assistant', contents: `heard ${text}` }] }),
  getStreamingResponse: () => {
    throw new Error('Nobody streams here.');
  },
};
const provider = new SqliteHistoryProvider({ path });
const agent = new Agent({ chatClient, contextProviders: [provider] });
await agent.run(text, { session: agent.createSession({ sessionId }) });
await provider.close();
