// The agent of examples/service-history, with its history in a SQLite file. See README.md.
import { OpenAIResponsesClient } from '@minne/chat-openai';
import { Agent } from '@minne/core';
import { SqliteHistoryProvider } from '@minne/history-sqlite';

const { OPENAI_MODEL = 'gpt-4.1-mini' } = process.env;
const [text = 'Hello! What do you remember about me?'] = process.argv.slice(2);

const history = new SqliteHistoryProvider({ path: '.minne/local-history.db' });
const agent = new Agent({
  chatClient: new OpenAIResponsesClient({ modelId: OPENAI_MODEL }),
  instructions: 'Answer in one sentence.',
  contextProviders: [history],
});

const session = agent.createSession({ sessionId: 'local-history' });
if (text === '/clear') await agent.clearSession(session);
else console.log((await agent.run(text, { session })).text);

await history.close();
