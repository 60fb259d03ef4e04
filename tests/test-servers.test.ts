import { connect } from 'node:net';
import {
  serverMissing,
  startPgBouncer,
  startPostgres,
  startRedis,
  startRedisCluster,
} from '@minne/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';

/** Starting takes a second, and more on a machine that is busy with other tests. */
const timeout = 60_000;

/** What a server answers to an inline command. */
async function ask(port: number, command: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  socket.write(`${command}\r\nQUIT\r\n`);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

describe.skipIf(serverMissing('redis') !== undefined)('a Redis for tests', { timeout }, () => {
  it('has what it acknowledged after it was killed', async () => {
    const { port, process, remove } = await startRedis({ durable: true });
    onTestFinished(remove);
    await ask(port, 'SET kept yes');
    await process.kill();
    await expect(ask(port, 'PING')).rejects.toThrow('ECONNREFUSED');
    await process.start();
    expect(await ask(port, 'GET kept')).toContain('yes');
  });

  it('is a cluster of three that share the keys', async () => {
    const { nodes, remove } = await startRedisCluster();
    onTestFinished(remove);
    const answers = await Promise.all(nodes.map(({ port }) => ask(port, 'SET key value')));
    expect(answers.filter((answer) => answer.startsWith('+OK'))).toHaveLength(1);
    expect(answers.filter((answer) => answer.startsWith('-MOVED'))).toHaveLength(2);
  });
});

describe.skipIf(serverMissing('postgres') !== undefined)(
  'a PostgreSQL for tests',
  { timeout },
  () => {
    it('starts again after it was killed', async () => {
      const { process, remove } = await startPostgres();
      onTestFinished(remove);
      await process.kill();
      await process.start();
      expect(process.output).toContain('not properly shut down');
    });

    it.skipIf(serverMissing('pgbouncer') !== undefined)('can stand behind a pooler', async () => {
      const server = await startPostgres();
      onTestFinished(server.remove);
      const pooler = await startPgBouncer(server);
      onTestFinished(pooler.remove);
      expect(new URL(pooler.url).port).not.toBe(new URL(server.url).port);
    });
  },
);
