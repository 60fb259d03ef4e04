import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/**
 * Stands before a server and counts round trips: how often a client sends, where it has had an answer
 * since it sent before. What is sent in one flight is one, whatever the number of packets.
 */
export async function startCountingProxy(url) {
  const { hostname, port } = new URL(url);
  let count = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    let isAnswered = true;
    client.on('data', (bytes) => {
      if (isAnswered) count += 1;
      isAnswered = false;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      isAnswered = true;
      client.write(bytes);
    });
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ]) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = new URL(url);
  address.port = String(server.address().port);
  return {
    url: address.href,
    /** Round trips of `call`. */
    async during(call) {
      const before = count;
      await call();
      return count - before;
    },
    close: () => server.close(),
  };
}
