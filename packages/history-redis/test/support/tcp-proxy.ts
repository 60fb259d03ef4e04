import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, counts what they say, and cuts them off. */
export class TcpProxy {
  readonly #server = createServer();
  readonly #sockets = new Set<Socket>();
  #roundTrips = 0;
  #cutNext = false;
  #cuts = 0;

  /** @param target - The port of the server. */
  constructor(target: number) {
    this.#server.on('connection', (client) => this.#join(client, connect(target, '127.0.0.1')));
  }

  /** A proxy that listens. */
  static async start(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    const address = this.#server.address();
    return `redis://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  }

  /** How often a client has spoken after the server had. */
  get roundTrips(): number {
    return this.#roundTrips;
  }

  get cuts(): number {
    return this.#cuts;
  }

  /** Lets the next request through to the server, and cuts the connection when the answer comes. */
  cutNextAnswer(): void {
    this.#cutNext = true;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket, server: Socket): void {
    let isServerLast = true;
    let isCutting = false;
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (chunk) => {
      if (isServerLast) this.#roundTrips += 1;
      isServerLast = false;
      isCutting ||= this.#cutNext;
      this.#cutNext = false;
      server.write(chunk);
    });
    server.on('data', (chunk) => {
      isServerLast = true;
      if (isCutting) {
        this.#cuts += 1;
        client.destroy();
      } else client.write(chunk);
    });
  }
}
