import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SystemUser } from './unprivileged-user.js';

/** How a server is started, again and again on the same data. */
export interface ServerCommand {
  readonly binary: string;
  readonly values: readonly string[];
  /** What it prints, on either stream, when it takes connections. */
  readonly ready: RegExp;
  /** The user to run as, where the server refuses to be run by root. */
  readonly user?: SystemUser;
  /** What it prints when it did not start, but will in a moment. */
  readonly startAgain?: RegExp;
  /** The signal that has it end in order. Default `SIGTERM`. */
  readonly stopSignal?: NodeJS.Signals;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Longer than any server takes here, also on a machine that is busy with other tests. */
const startTimeout = 60_000;

/** A server in a process of its own, on data that stay where they are when it ends. */
export class ServerProcess {
  readonly #command: ServerCommand;
  #child: ChildProcess | undefined;
  #output = '';

  constructor(command: ServerCommand) {
    this.#command = command;
  }

  /** Starts it and waits until it takes connections. @throws Error with what it printed when it does not. */
  async start(): Promise<void> {
    const { binary, startAgain } = this.#command;
    const end = Date.now() + startTimeout;
    while (!(await this.#begin(end - Date.now()))) {
      if (startAgain?.test(this.#output) !== true || Date.now() > end) {
        throw new Error(`${binary} did not start:\n${this.#output}`);
      }
      await sleep(100);
    }
  }

  async #begin(timeout: number): Promise<boolean> {
    const { binary, values, ready, user } = this.#command;
    this.#output = '';
    const child = spawn(binary, values, { stdio: ['ignore', 'pipe', 'pipe'], ...user });
    this.#child = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    const isReady = new Promise<boolean>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          this.#output = `${this.#output}${text}`.slice(-20_000);
          if (ready.test(this.#output)) resolve(true);
        });
      }
      child.once('error', reject);
      child.once('close', () => resolve(false));
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
    try {
      return await isReady;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The newest of what it has printed since it was started. */
  get output(): string {
    return this.#output;
  }

  /** Ends it at once, as a loss of power would, but for what the system still writes to the disk. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** Ends it in order. */
  async stop(): Promise<void> {
    await this.#end(this.#command.stopSignal ?? 'SIGTERM');
  }

  /** Lets it hang: it takes connections and answers nothing until {@link resume}. */
  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGCONT');
    child.kill(signal);
    await ended;
  }
}
