import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { Chance } from './seeded.js';

/** What stands between a client and its server and cuts their connections. */
export interface CuttingProxy {
  readonly port: number;
  /** How many connections it has cut. */
  cuts(): number;
  /** Lets every connection live from now on. */
  relent(): void;
  close(): Promise<void>;
}

/**
 * Bytes after which a connection is cut, in either direction: some within the greeting, some after many calls.
 * What a store answers to an append is short.
 */
const lives = { request: [300, 400_000], answer: [50, 20_000] } as const;

/**
 * Passes bytes on, and cuts each connection at a byte that chance names: within a request, so that the
 * server has the beginning of it, or within an answer, so that what was done is not acknowledged.
 */
export async function startCuttingProxy(serverPort: number, chance: Chance): Promise<CuttingProxy> {
  let cuts = 0;
  let isCutting = true;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    const isInAnswer = chance.number(1) < 0.5;
    const [shortest, longest] = isInAnswer ? lives.answer : lives.request;
    // Spread over the powers of ten, so that short lives are as frequent as long ones.
    const life = Math.floor(shortest * (longest / shortest) ** chance.number(1));
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    const pass = (from: Socket, to: Socket, isCounted: boolean) => {
      let left = life;
      from.on('data', (bytes) => {
        if (!isCutting || !isCounted || bytes.length < left) {
          left -= bytes.length;
          if (!to.write(bytes)) from.pause();
          return;
        }
        cuts += 1;
        from.removeAllListeners('data');
        to.write(bytes.subarray(0, left), end);
      });
      to.on('drain', () => from.resume());
      from.once('close', end);
      // A reset by either side is what this is about.
      from.on('error', end);
      sockets.add(from);
      from.once('close', () => sockets.delete(from));
    };
    pass(client, upstream, !isInAnswer);
    pass(upstream, client, isInAnswer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    cuts: () => cuts,
    relent: () => {
      isCutting = false;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
