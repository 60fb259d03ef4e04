import {
  Agent,
  type ChatClient,
  createMessage,
  messageText,
  systemClock,
  uuidv7,
} from '@minne/core';
import { PostgresHistoryProvider } from '../../src/index.js';

// Says one thing to an agent whose model tells what it was sent, and prints the answer.
const [connectionString = '', schema = '', text = ''] = process.argv.slice(2);

const chatClient: ChatClient = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  async getResponse(messages) {
    const contents = `I heard: ${messages.map((message) => messageText(message)).join(' / ')}`;
    const answer = createMessage({ role: 'assistant', contents }, uuidv7, systemClock);
    return { messages: [answer], finishReason: 'stop' };
  },
  getStreamingResponse() {
    throw new Error('This model does not stream.');
  },
};

const history = new PostgresHistoryProvider({ connectionString, schema });
const agent = new Agent({ chatClient, contextProviders: [history] });
const session = agent.createSession({ sessionId: '50% of_everything', actorId: 'kim' });
process.stdout.write(`${(await agent.run(text, { session })).text}\n`);
await history.close();
