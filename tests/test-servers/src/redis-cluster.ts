import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-port.js';
import { type RedisServer, startRedis } from './redis-server.js';

/** Slots of any Redis Cluster (Redis Cluster specification, "Key distribution model"). */
const slotCount = 16_384;

/** A Redis Cluster of masters without replicas. */
export interface RedisCluster {
  readonly nodes: readonly { readonly host: string; readonly port: number }[];
  readonly servers: readonly RedisServer[];
  remove(): Promise<void>;
}

/** Starts the masters of a cluster, and waits until each of them serves. */
export async function startRedisCluster(size = 3): Promise<RedisCluster> {
  const servers: RedisServer[] = [];
  const remove = async () => {
    await Promise.all(servers.map((server) => server.remove()));
  };
  try {
    for (let index = 0; index < size; index += 1) {
      const bus = String(await freePort());
      servers.push(
        await startRedis({ values: ['--cluster-enabled', 'yes', '--cluster-port', bus] }),
      );
    }
    const ports = servers.map(({ port }) => port);
    const [first = 0, ...others] = ports;
    const busOf = async (port: number) =>
      (await command(port, 'CONFIG GET cluster-port')).split('\r\n').at(-2) ?? '';
    for (const port of others) {
      await command(first, `CLUSTER MEET 127.0.0.1 ${port} ${await busOf(port)}`);
    }
    for (const [index, port] of ports.entries()) {
      const from = Math.floor((index * slotCount) / size);
      const to = Math.floor(((index + 1) * slotCount) / size) - 1;
      await command(port, `CLUSTER ADDSLOTSRANGE ${from} ${to}`);
    }
    for (const port of ports) {
      while (!(await serves(port, size))) await sleep(50);
    }
    return { nodes: ports.map((port) => ({ host: '127.0.0.1', port })), servers, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function serves(port: number, size: number): Promise<boolean> {
  const info = await command(port, 'CLUSTER INFO');
  return info.includes('cluster_state:ok') && info.includes(`cluster_known_nodes:${size}`);
}

/** Sends one inline command and returns the answer as it came. @throws Error when it is an error. */
async function command(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8');
  let answer = '';
  socket.write(`${text}\r\nQUIT\r\n`);
  for await (const chunk of socket) answer += chunk;
  if (answer.startsWith('-')) throw new Error(`${text}: ${answer.trim()}`);
  return answer.replace(/\+OK\r\n$/, '');
}
