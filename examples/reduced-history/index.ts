// A long session that stays in the window of its model, with a model that only counts. See README.md.
import { Agent, type ChatClient } from '@minne/core';
import { InMemoryHistoryProvider } from '@minne/history-inmemory';
import { MessageCountingReducer, reductionsText } from '@minne/reducers';

const [given = '40'] = process.argv.slice(2);
const turns = Number(given);
if (!Number.isSafeInteger(turns) || turns < 1) {
  throw new Error(`${given} is no number of turns. Give a whole number of at least 1.`);
}

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

const history = new InMemoryHistoryProvider({
  reducer: new MessageCountingReducer({ targetCount: 10, threshold: 10 }),
});
const agent = new Agent({ chatClient, contextProviders: [history] });
const session = agent.createSession();

for (let turn = 1; turn <= turns; turn += 1) {
  const { text, reductions } = await agent.run(`Question ${turn}`, { session });
  const reduced = reductions.filter(({ dropped }) => dropped > 0);
  console.log(`turn ${turn}: ${[text, reductionsText(reduced)].join(' ').trim()}`);
}
const { messages } = await history.getMessages(session);
console.log(`Stored: all ${messages.length} messages.`);
