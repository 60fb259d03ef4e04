import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startPostgres, startRedis } from '@minne/test-servers';
import type { StoreKind } from './open-backend.js';

/** A store to make faults in. */
export interface RunningStore {
  readonly kind: StoreKind;
  /** How to open it to see what is there. Default: as `kind`. */
  readonly readAs?: StoreKind;
  /** The path of the file, or the url of the server. */
  readonly address: string;
  remove(): Promise<void>;
}

/** A store in a server of its own. */
export interface RunningServer extends RunningStore {
  readonly port: number;
  readonly process: ServerProcess;
}

export async function startSqliteFile(kind: StoreKind = 'sqlite'): Promise<RunningStore> {
  const folder = mkdtempSync(join(tmpdir(), 'minne-faults-'));
  return {
    kind,
    readAs: 'sqlite',
    address: join(folder, 'history.db'),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A Redis that has in a file what it acknowledges. */
export async function startDurableRedis(): Promise<RunningServer> {
  const { url, port, process, remove } = await startRedis({ durable: true });
  return { kind: 'redis', address: url, port, process, remove };
}

export async function startDurablePostgres(): Promise<RunningServer> {
  const { url, port, process, remove } = await startPostgres();
  return { kind: 'postgres', address: url, port, process, remove };
}
