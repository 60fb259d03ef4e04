// A conversation that lives at the model's service: run it, tell it something, run it again and ask.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { OpenAIResponsesClient } from '@minne/chat-openai';
import { Agent } from '@minne/core';

const { OPENAI_MODEL = 'gpt-4.1-mini' } = process.env;
const [text = 'Hello! What do you remember about me?'] = process.argv.slice(2);
const file = '.minne/service-history.json';

const agent = new Agent({
  chatClient: new OpenAIResponsesClient({ modelId: OPENAI_MODEL }),
  instructions: 'Answer in one sentence.',
});

const saved = await readFile(file, 'utf8').catch(() => undefined);
const session =
  saved === undefined ? agent.createSession() : agent.deserializeSession(JSON.parse(saved));
if (text === '/clear') await agent.clearSession(session);
else console.log((await agent.run(text, { session })).text);

await mkdir('.minne', { recursive: true });
await writeFile(file, JSON.stringify(agent.serializeSession(session)));
