import { spawn } from 'node:child_process';
import process from 'node:process';

/** A failure whose message is all that a person needs to read: no stack is printed for it. */
export class SetUpError extends Error {}

/**
 * Runs a command, shows nothing, and returns its output.
 * When it fails, throws a {@link SetUpError} with the output, or what `explain` makes of it.
 */
export async function runQuietly(command, commandArguments, options) {
  const { environment, directory, explain = (output) => output } = options;
  const child = start(command, commandArguments, {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      output += chunk;
    });
  }
  const end = await ended(child);
  if (end.code === 0) return output.trim();
  if (end.received !== undefined) await exitBySignal(end.received);
  throw new SetUpError(
    end.error?.message ?? explain(output.trim() || `${command} ended (${end.signal ?? end.code}).`),
  );
}

/** Runs a command on this terminal. Resolves to its exit code; dies of the signal that it died of. */
export async function runAttached(command, commandArguments, options) {
  const { environment, directory } = options;
  const end = await ended(
    start(command, commandArguments, { cwd: directory, env: environment, stdio: 'inherit' }),
  );
  if (end.error !== undefined) throw new SetUpError(end.error.message);
  if (end.signal !== null) await exitBySignal(end.signal);
  return end.code;
}

/** The output of a command, or `undefined` when it is missing or fails. */
export async function outputOf(command, commandArguments, options) {
  try {
    return await runQuietly(command, commandArguments, options);
  } catch (error) {
    if (error instanceof SetUpError) return undefined;
    throw error;
  }
}

/** Does `work` under a line that says what is done and then how long it took. */
export async function step(title, work) {
  const began = performance.now();
  process.stderr.write(`${title} … `);
  try {
    const result = await work();
    process.stderr.write(`${((performance.now() - began) / 1000).toFixed(1)} s\n`);
    return result;
  } catch (error) {
    process.stderr.write('failed\n');
    throw error;
  }
}

/** The body of a command: its result is the exit code; a {@link SetUpError} is its message and 1. */
export async function main(body) {
  try {
    process.exitCode = await body();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    process.stderr.write(`\n${error.message}\n`);
    process.exitCode = 1;
  }
}

function start(command, commandArguments, options) {
  // On Windows npm and pnpm are batch files, which only a shell can run.
  const shell = process.platform === 'win32' && (command === 'npm' || command === 'pnpm');
  return spawn(command, commandArguments, { ...options, shell });
}

/** Waits for the end of a child. Signals that this process gets meanwhile are passed on to it. */
async function ended(child) {
  let received;
  const forward = (signal) => {
    received = signal;
    // At a terminal Ctrl-C reaches the child by itself; twice would cut its orderly end short.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  const watch = watchForOrphaning(() => forward('SIGTERM'));
  try {
    return await new Promise((resolve) => {
      child.once('error', (error) => resolve({ code: 1, signal: null, error, received }));
      child.once('close', (code, signal) => resolve({ code, signal, received }));
    });
  } finally {
    clearInterval(watch);
    for (const signal of signals) process.off(signal, forward);
  }
}

/** npm passes a SIGTERM only to the shell between it and this process, which dies without a word. */
function watchForOrphaning(whenOrphaned) {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    whenOrphaned();
  }, 250);
  return watch;
}

async function exitBySignal(signal) {
  process.kill(process.pid, signal);
  // The signal may be delivered only after this turn: nothing more must run before it.
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
