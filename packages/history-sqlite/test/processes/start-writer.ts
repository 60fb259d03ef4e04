import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that appends turns to one session. */
export interface Writer {
  readonly process: ChildProcess;
  /** The turns that were acknowledged so far. */
  acknowledged(): string[];
  /** Waits for the end and gives the exit code (null when it was killed) and what it complained of. */
  ended(): Promise<{ readonly code: number | null; readonly complaint: string }>;
}

/** Starts a process that appends `turns` turns named after `writer` to the file at `path`. */
export function startWriter(path: string, writer: string, turns: number): Writer {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--conditions=@minne/source',
      `--import=${fileURLToPath(new URL('resolve-sources.ts', import.meta.url))}`,
      fileURLToPath(new URL('append-loop.ts', import.meta.url)),
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
  const closed = once(child, 'close');
  return {
    process: child,
    // A name counts once its line is complete.
    acknowledged: () => output.split('\n').slice(0, -1),
    ended: async () => {
      await closed;
      return { code: child.exitCode, complaint };
    },
  };
}
