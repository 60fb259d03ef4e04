// An agent that remembers: run it, tell it something, run it again and ask. See README.md.
import { OpenAIChatCompletionClient } from '@minne/chat-openai';
import { Agent } from '@minne/core';
import { SqliteHistoryProvider } from '@minne/history-sqlite';
import { MemoryEngine } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { createMemoryTools } from '@minne/memory-tools';

const { OPENAI_MODEL = 'gpt-4.1-mini' } = process.env;
const [text = 'Hello! What do you remember about me?'] = process.argv.slice(2);

const history = new SqliteHistoryProvider({ path: 'quickstart-data/history.db' });
const storage = new SqliteMemoryStorage({ path: 'quickstart-data/memory.db' });
const memories = await new MemoryEngine({ storage }).openStore('quickstart');

const agent = new Agent({
  chatClient: new OpenAIChatCompletionClient({ modelId: OPENAI_MODEL }),
  instructions: 'Save what you learn about the user. Search your memories before you answer.',
  tools: createMemoryTools(memories),
  contextProviders: [history],
});

const session = agent.createSession({ sessionId: 'quickstart', actorId: 'kim' });
const response = await agent.run(text, { session });
console.log(response.text);

await history.close();
await storage.close();
