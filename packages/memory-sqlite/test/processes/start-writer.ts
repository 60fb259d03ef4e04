import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that writes entries. */
export interface Writer {
  readonly process: ChildProcess;
  /** Resolves when the first entry is acknowledged. */
  readonly started: Promise<unknown>;
  /** Waits for the end: how it ended, what it complained of, and the names that it acknowledged. */
  readonly ended: Promise<WriterEnd>;
}

/** How a writer ended. */
export interface WriterEnd {
  /** `null` when it was killed. */
  readonly code: number | null;
  readonly complaint: string;
  readonly acknowledged: readonly string[];
}

/** Starts a process that writes `turns` entries, named after `writer`, to the file at `path`. */
export function startWriter(path: string, writer: string, turns: number): Writer {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--conditions=@minne/source',
      `--import=${fileURLToPath(new URL('resolve-sources.ts', import.meta.url))}`,
      fileURLToPath(new URL('write-loop.ts', import.meta.url)),
      path,
      writer,
      String(turns),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  let [output, complaint] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  const ended = once(child, 'close').then(() => ({
    code: child.exitCode,
    complaint,
    // A name counts once its line is complete.
    acknowledged: output.split('\n').slice(0, -1),
  }));
  const started = Promise.race([
    once(child.stdout, 'data'),
    ended.then((end) => Promise.reject(new Error(`The writer ended early: ${end.complaint}`))),
  ]);
  // Whoever only waits for the end learns of it there.
  started.catch(() => undefined);
  return { process: child, started, ended };
}
