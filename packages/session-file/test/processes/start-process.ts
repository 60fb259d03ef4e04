import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that works on a store and prints a line for everything that the store acknowledged. */
export interface StoreProcess {
  readonly process: ChildProcess;
  /** The complete lines so far. */
  lines(): string[];
  /** Waits for the first output. */
  begun(): Promise<void>;
  /** Waits for the end: the exit code, null when it was killed, and what was complained of. */
  ended(): Promise<{ readonly code: number | null; readonly complaint: string }>;
}

/** Runs one of the scripts in this folder. */
export function startProcess(script: string, ...values: readonly string[]): StoreProcess {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      '--conditions=@minne/source',
      `--import=${fileURLToPath(new URL('resolve-sources.ts', import.meta.url))}`,
      fileURLToPath(new URL(script, import.meta.url)),
      ...values,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const texts = { output: '', complaint: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    texts.output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    texts.complaint += text;
  });
  const [begun, closed] = [once(child.stdout, 'data'), once(child, 'close')];
  return {
    process: child,
    lines: () => texts.output.split('\n').slice(0, -1),
    begun: async () => {
      await Promise.race([begun, closed]);
    },
    ended: async () => {
      await closed;
      return { code: child.exitCode, complaint: texts.complaint };
    },
  };
}
