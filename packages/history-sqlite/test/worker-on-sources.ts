import { createRequire, syncBuiltinESMExports } from 'node:module';
import { pathToFileURL } from 'node:url';
import workerThreads, { Worker, type WorkerOptions } from 'node:worker_threads';

const storeProcess = createRequire(import.meta.url).resolve('@minne/store-process');
const resolveSources = new URL('resolve-sources.ts', pathToFileURL(storeProcess)).href;

/** Every thread that was started since this module was loaded. */
export const startedThreads: Worker[] = [];

/** What the next threads are started with beside what sources need. */
export const extraArguments: string[] = [];

/** A thread that runs on sources, as the tests do; a built package needs none of this. */
class SourceWorker extends Worker {
  constructor(file: URL, options: WorkerOptions = {}) {
    const execArgv = ['--conditions=@minne/source', `--import=${resolveSources}`];
    super(file, { ...options, execArgv: [...execArgv, ...extraArguments] });
    startedThreads.push(this);
  }
}

Object.assign(workerThreads, { Worker: SourceWorker });
syncBuiltinESMExports();
