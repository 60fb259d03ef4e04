import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server on this machine that can fail as networks do. */
export interface TcpProxy {
  readonly port: number;
  /** Cuts each connection at the server's next answer, which is lost: what was asked is done. */
  cutAnswers(): void;
  /** Lets nothing through any more, without ending a connection. */
  hang(): void;
  /** Works as it should again. Connections that hung end. */
  mend(): void;
  close(): Promise<void>;
}

/** Starts a proxy for a port of this machine. */
export async function startTcpProxy(port: number): Promise<TcpProxy> {
  let fault: 'none' | 'cut' | 'hang' = 'none';
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket);
      // A cut is an error on one of the two sides.
      socket.on('error', () => end());
      socket.on('close', () => end());
    }
    const end = () => {
      for (const socket of [near, far]) {
        sockets.delete(socket);
        socket.destroy();
      }
    };
    near.on('data', (data) => {
      if (fault !== 'hang') far.write(data);
    });
    far.on('data', (data) => {
      if (fault === 'cut') end();
      else if (fault === 'none') near.write(data);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    cutAnswers() {
      fault = 'cut';
    },
    hang() {
      fault = 'hang';
    },
    mend() {
      if (fault === 'hang') endAll();
      fault = 'none';
    },
    async close() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
