import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How a process ended. */
export interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A playground in a process of its own, as `npm start` runs it. */
export interface PlaygroundProcess {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** The link that signs in. */
  readonly link: string;
  /** Another link, as the printed command gets one. */
  newLink(): Promise<string>;
  /** What it has printed so far. */
  readonly stdout: () => string;
  kill(signal: NodeJS.Signals): void;
  readonly ended: Promise<Ending>;
}

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const startTimeout = 30_000;

/** Runs it to its end, for what is said when it cannot start. */
export async function runToEnd(
  environment: Readonly<Record<string, string>>,
  directory: string,
): Promise<Ending> {
  const child = spawnPlayground(environment, directory);
  const timer = setTimeout(() => child.process.kill('SIGKILL'), startTimeout);
  const ending = await child.ended;
  clearTimeout(timer);
  return ending;
}

/** Starts it on a free port and waits until it listens. */
export async function startProcess(
  environment: Readonly<Record<string, string>>,
  directory: string,
): Promise<PlaygroundProcess> {
  const child = spawnPlayground({ PORT: '0', ...environment }, directory);
  const began = performance.now();
  let isOver = false;
  const over = child.ended.then((ending) => {
    isOver = true;
    return ending;
  });
  for (;;) {
    const url = /^Minne listens at (\S+)$/m.exec(child.stdout())?.[1];
    const link = /^\s+(http\S+#code=\S+)$/m.exec(child.stdout())?.[1];
    // The last line is complete when the line break after it is there.
    if (url !== undefined && link !== undefined && child.stdout().endsWith('\n')) {
      return {
        url,
        link,
        newLink: () => requestLink(url, child.stdout()),
        stdout: child.stdout,
        kill: (signal) => child.process.kill(signal),
        ended: over,
      };
    }
    if (isOver) throw new Error(`The playground ended: ${(await over).stderr}`);
    if (performance.now() - began > startTimeout) {
      child.process.kill('SIGKILL');
      throw new Error(`The playground does not start: ${child.stdout()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function spawnPlayground(environment: Readonly<Record<string, string>>, directory: string) {
  if (!existsSync(main)) throw new Error('The playground is not built. Run: npm run build');
  // Only what is said here: a key or a data folder of whoever runs the tests must not count.
  const child: ChildProcess = spawn(process.execPath, [main], {
    cwd: directory,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ending>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { process: child, stdout: () => stdout, ended };
}

async function requestLink(url: string, printed: string): Promise<string> {
  const data = /^ +Data: +(.+)$/m.exec(printed)?.[1] ?? '';
  const token = await readFile(join(data, 'admin-token'), 'utf8');
  const response = await fetch(`${url}/playground/links`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token.trim()}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  const { link } = (await response.json()) as { link: string };
  return link;
}

/** What the page does, without the page. */
export class SignedInClient {
  readonly #url: string;
  readonly #token: string;

  private constructor(url: string, token: string) {
    this.#url = url;
    this.#token = token;
  }

  /** Opens the link of a process. */
  static async open(link: string): Promise<SignedInClient> {
    const { origin, hash } = new URL(link);
    const code = new URLSearchParams(hash.slice(1)).get('code');
    const response = await fetch(`${origin}/playground/sign-in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    });
    const { token } = (await response.json()) as { token: string };
    return new SignedInClient(origin, token);
  }

  request(path: string, body?: object, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      headers: { Authorization: `Bearer ${this.#token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async json<Answer>(path: string, body?: object): Promise<Answer> {
    return (await this.request(path, body)).json() as Promise<Answer>;
  }

  async newSession(): Promise<string> {
    const made = await this.json<{ session_id: string }>('/playground/sessions', {});
    return made.session_id;
  }

  /** Writes, and gives the lines of the whole answer. */
  async say(sessionId: string, text: string): Promise<string> {
    return (await this.request(`/playground/sessions/${sessionId}/messages`, { text })).text();
  }
}
