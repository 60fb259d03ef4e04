import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** What stands between a client and its server and counts their round trips. */
export interface CountingProxy {
  readonly port: number;
  /** How often a client sent, where it had had an answer since it sent before. */
  during(call: () => Promise<unknown>): Promise<number>;
  close(): Promise<void>;
}

/** Passes bytes on. What is sent in one flight is one round trip, whatever the number of packets. */
export async function startCountingProxy(serverPort: number): Promise<CountingProxy> {
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let isAnswered = true;
    client.on('data', () => {
      if (isAnswered) count += 1;
      isAnswered = false;
    });
    upstream.on('data', () => {
      isAnswered = true;
    });
    client.pipe(upstream);
    upstream.pipe(client);
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    port: address.port,
    during: async (call) => {
      const before = count;
      await call();
      return count - before;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await closed;
    },
  };
}
