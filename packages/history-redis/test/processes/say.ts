import { Agent } from '@minne/core';
import { RedisHistoryProvider } from '../../src/index.js';
import { echoChatClient } from './echo-chat-client.js';

// One run on a session: the url, the session and what is said are the arguments.
const [url = '', sessionId = '', text = ''] = process.argv.slice(2);
const provider = new RedisHistoryProvider({ url });
const agent = new Agent({ chatClient: echoChatClient, contextProviders: [provider] });
const session = agent.createSession({ sessionId, actorId: 'kim' });
process.stdout.write(`${(await agent.run(text, { session })).text}\n`);
await provider.close();
