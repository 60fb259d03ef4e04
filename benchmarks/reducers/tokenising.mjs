// How much is tokenised when one more message has come: by the reducer alone, and in a run of an agent.
import { Agent } from '@minne/core';
import { InMemoryHistoryProvider } from '@minne/history-inmemory';
import { SqliteHistoryProvider } from '@minne/history-sqlite';
import { encoderTokenCounter, TokenBudgetReducer } from '@minne/reducers';
import { encode } from 'gpt-tokenizer';
import { evenHistory } from './histories.mjs';
import { figure, printTable } from './table.mjs';

/** An exact counter that tells how many tokens it has counted. */
function watchedCounter() {
  const watched = { tokens: 0 };
  const counter = encoderTokenCounter({
    id: 'o200k_base',
    encoder: {
      encode: (text) => {
        const tokens = encode(text);
        watched.tokens += tokens.length;
        return tokens;
      },
    },
  });
  return { counter, watched };
}

export async function measureTokenising() {
  const rows = [];
  const all = evenHistory(2_501);
  for (const [trigger, reduce] of [
    ['reducer alone', aloneWith],
    ['agent, beforeMessagesRetrieval', agentWith('beforeMessagesRetrieval')],
    ['agent, afterMessageAdded', agentWith('afterMessageAdded')],
    ['agent, history in SQLite', agentWith('beforeMessagesRetrieval', inSqlite)],
  ]) {
    const { counter, watched } = watchedCounter();
    // Wide enough that everything is counted and nothing goes.
    const step = await reduce(
      new TokenBudgetReducer({ targetTokens: 10_000_000, tokenCounter: counter }),
      all.slice(0, 10_000),
    );
    let start = performance.now();
    await step(all.slice(10_000, 10_001));
    const first = { tokens: watched.tokens, time: performance.now() - start };
    watched.tokens = 0;
    start = performance.now();
    await step(all.slice(10_001, 10_002));
    const second = { tokens: watched.tokens, time: performance.now() - start };
    rows.push([
      trigger,
      first.tokens.toLocaleString('en'),
      figure(first.time),
      second.tokens.toLocaleString('en'),
      figure(second.time),
      (second.tokens / first.tokens).toFixed(5),
    ]);
  }
  printTable(
    'Tokens that gpt-tokenizer is asked for, and milliseconds: a history of 10,000 messages, then one more message',
    ['', 'tokens, first', 'ms', 'tokens, again', 'ms', 'ratio'],
    rows,
  );
}

async function aloneWith(reducer, history) {
  let messages = history;
  return async (added) => {
    messages = [...messages, ...added];
    await reducer.reduce(messages);
  };
}

const inMemory = (options) => new InMemoryHistoryProvider(options);
const inSqlite = (options) => new SqliteHistoryProvider({ path: ':memory:', ...options });

function agentWith(reducerTrigger, open = inMemory) {
  return async (reducer, history) => {
    const provider = open({ reducer, reducerTrigger });
    const chatClient = {
      specificationVersion: 'v1',
      historyStorage: 'none',
      getResponse: async () => ({ messages: [{ role: 'assistant', contents: 'Very well.' }] }),
    };
    const agent = new Agent({ chatClient, contextProviders: [provider] });
    const session = agent.createSession();
    const { version } = await provider.getMessages(session);
    await provider.setMessages(session, history, { version });
    return () => agent.run('What is next?', { session });
  };
}
