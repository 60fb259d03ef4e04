import { freePort } from './free-port.js';
import { serverBinary } from './server-binary.js';
import { removeFolder, serverFolder } from './server-folder.js';
import { ServerProcess } from './server-process.js';

/** Options of {@link startRedis}. */
export interface StartRedisOptions {
  /** Every acknowledged write is in a file before it is acknowledged. Default false: nothing is on the disk. */
  readonly durable?: boolean;
  /** Where the data are, to be kept by the caller. Default: a new folder, removed by `remove`. */
  readonly directory?: string;
  /** More of the command line, such as `['--maxmemory', '10mb']`. */
  readonly values?: readonly string[];
}

/** A Redis of its own. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly process: ServerProcess;
  /** Kills it and takes its data away. */
  remove(): Promise<void>;
}

/** Starts a Redis. @throws Error when there is none on this machine: ask `serverMissing('redis')` before. */
export async function startRedis(options: StartRedisOptions = {}): Promise<RedisServer> {
  const directory = options.directory ?? serverFolder('redis');
  const port = await freePort();
  const persistence = options.durable
    ? ['--appendonly', 'yes', '--appendfsync', 'always']
    : ['--appendonly', 'no'];
  const process = new ServerProcess({
    binary: serverBinary('redis'),
    values: [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', directory, '--save', ''],
      ...persistence,
      ...(options.values ?? []),
    ],
    ready: /Ready to accept connections/,
  });
  const remove = async () => {
    await process.kill();
    if (options.directory === undefined) removeFolder(directory);
  };
  try {
    await process.start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { url: `redis://127.0.0.1:${port}`, port, process, remove };
}
