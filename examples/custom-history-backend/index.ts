// An agent whose history is a file of JSON lines, with a model that only counts. See README.md.
import { Agent, type ChatClient, HistoryProvider } from '@minne/core';
import { JsonlHistoryBackend } from '#jsonl-history-backend';

const [text = 'Hello!'] = process.argv.slice(2);

/** Answers with what it was sent. Put a client of a real model here. */
const chatClient: ChatClient = {
  specificationVersion: 'v1',
  historyStorage: 'none',
  getResponse: async ({ length }) => ({
    messages: [{ role: 'assistant', contents: `I see ${length} messages.` }],
  }),
  async *getStreamingResponse({ length }) {
    yield { contents: [{ type: 'text', text: `I see ${length} messages.` }] };
  },
};

const backend = new JsonlHistoryBackend({ folder: '.minne/jsonl-history' });
const history = new HistoryProvider({ backend, sourceId: 'jsonl' });
const agent = new Agent({ chatClient, contextProviders: [history] });

const session = agent.createSession({ sessionId: 'jsonl-history' });
if (text === '/clear') await agent.clearSession(session);
else console.log((await agent.run(text, { session })).text);
