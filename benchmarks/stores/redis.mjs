import { RedisChatMessageHistory } from '@langchain/redis';
import { RedisStore } from '@mastra/redis';
import { RedisHistoryBackend } from '@minne/history-redis';
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { textIn } from './conversations.mjs';
import { langchainMessage } from './langchain.mjs';
import { mastra } from './mastra.mjs';
import { minne } from './minne.mjs';
import { startRedis } from './servers.mjs';

const ttl = 7 * 24 * 60 * 60 * 1000;

async function raw(url, { maxMessages }) {
  const client = new Redis(url);
  await client.ping();
  return {
    name: 'ioredis: MULTI RPUSH LTRIM PEXPIRE',
    append: (session, messages) =>
      client
        .multi()
        .rpush(`raw:${session}`, ...messages.map((message) => JSON.stringify(message)))
        .ltrim(`raw:${session}`, -maxMessages, -1)
        .pexpire(`raw:${session}`, ttl)
        .exec(),
    load: async (session) =>
      (await client.lrange(`raw:${session}`, 0, -1)).map((text) => JSON.parse(text)),
    textIn,
    fillAtOnce: 256,
    close: () => client.quit(),
  };
}

async function langchain(url) {
  const client = createClient({ url });
  await client.connect();
  const histories = new Map();
  const historyOf = (session) => {
    if (!histories.has(session)) {
      const fields = { sessionId: `langchain:${session}`, sessionTTL: ttl / 1000, client };
      histories.set(session, new RedisChatMessageHistory(fields));
    }
    return histories.get(session);
  };
  return {
    name: '@langchain/redis',
    append: (session, messages) => historyOf(session).addMessages(messages.map(langchainMessage)),
    load: (session) => historyOf(session).getMessages(),
    textIn: ({ content }) => content,
    mostOthers: 1_000,
    fillAtOnce: 64,
    close: () => client.quit(),
  };
}

export const redis = {
  name: 'Redis',
  start: startRedis,
  trimmers: 2,
  contestants: [
    (url, { maxMessages }) =>
      minne(
        'Minne',
        new RedisHistoryBackend({
          url,
          keyPrefix: 'minne:',
          maxMessages,
          ttl,
          commandTimeout: 60_000,
        }),
      ),
    raw,
    langchain,
    (url) => mastra('@mastra/redis', new RedisStore({ id: 'mastra', connectionString: url })),
  ],
};
