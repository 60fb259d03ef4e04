import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that works on a store and prints a line for everything that the store acknowledged. */
export interface StoreProcess {
  readonly process: ChildProcess;
  /** The lines so far. One counts once it is complete. */
  lines(): string[];
  /** Waits for the first output. @throws Error when the process ends without any. */
  begun(): Promise<void>;
  /** Waits for the end: the exit code, null when it was killed, and what was complained of. */
  ended(): Promise<{ readonly code: number | null; readonly complaint: string }>;
}

/** Runs a TypeScript file on the sources of the packages. `values` are its arguments. */
export function startProcess(script: URL, ...values: readonly string[]): StoreProcess {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--conditions=@minne/source',
      `--import=${fileURLToPath(new URL('resolve-sources.ts', import.meta.url))}`,
      fileURLToPath(script),
      ...values,
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
  const [begun, closed] = [once(child.stdout, 'data'), once(child, 'close')];
  return {
    process: child,
    lines: () => output.split('\n').slice(0, -1),
    begun: async () => {
      await Promise.race([begun, closed]);
      if (output === '') throw new Error(`The process ended without a line: ${complaint}`);
    },
    ended: async () => {
      await closed;
      return { code: child.exitCode, complaint };
    },
  };
}
