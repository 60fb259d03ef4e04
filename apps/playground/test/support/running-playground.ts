import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChatClient, ChatMessage } from '@minne/core';
import { listen } from '@minne/memory-server/node';
import { openDataFolder } from '../../src/data-folder.js';
import { DemonstrationChatClient } from '../../src/demonstration-model/demonstration-chat-client.js';
import type { PageFiles } from '../../src/http/page-files.js';
import { openPlayground } from '../../src/playground.js';
import { SignIn } from '../../src/sign-in.js';

/** What a request is made of. */
export interface TestRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a string. */
  readonly body?: unknown;
}

/** What came back. */
export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

const page: PageFiles = new Map([
  ['/', { body: '<!doctype html><title>Minne</title>', mediaType: 'text/html; charset=utf-8' }],
]);

/** A playground that listens on a free port, with a folder of its own. */
export async function startPlayground(
  chatClient: ChatClient = new DemonstrationChatClient({ wordDelay: 0 }),
) {
  const directory = await mkdtemp(join(tmpdir(), 'minne-playground-'));
  const folder = await openDataFolder(join(directory, 'data'));
  const signIn = new SignIn();
  const reported: unknown[] = [];
  const playground = await openPlayground({
    host: '127.0.0.1',
    folder,
    chatClient,
    modelName: 'a model',
    isDemonstration: true,
    signIn,
    page,
    report: (error) => reported.push(error),
  });
  const { url, close } = await listen(playground.app, { gracePeriod: 200 });
  const token = signIn.exchange(signIn.issueCode())?.token ?? '';
  const signedIn = { Authorization: `Bearer ${token}` };

  /** As the page would ask. */
  const ask = (path: string, { headers = {}, ...rest }: TestRequest = {}) =>
    send(url, path, { ...rest, headers: { ...signedIn, ...headers } });

  return {
    url,
    port: new URL(url).port,
    folder,
    signIn,
    token,
    reported,
    send: (path: string, options?: TestRequest) => send(url, path, options),
    ask,
    async newSession(): Promise<string> {
      return String((await ask('/playground/sessions', { body: {} })).json['session_id']);
    },
    /** Writes, and gives the events of the whole answer. */
    async say(sessionId: string, text: string): Promise<Record<string, unknown>[]> {
      const path = `/playground/sessions/${sessionId}/messages`;
      const { status, text: lines } = await ask(path, { body: { text } });
      if (status !== 200) throw new Error(lines);
      return lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    },
    /** Writes, and gives the answer as it comes; aborting leaves it. */
    stream(sessionId: string, text: string, signal: AbortSignal): Promise<Response> {
      return fetch(`${url}/playground/sessions/${sessionId}/messages`, {
        method: 'POST',
        headers: { ...signedIn, 'Content-Type': 'application/json' },
        body: JSON.stringify({ text }),
        signal,
      });
    },
    async messages(sessionId: string): Promise<ChatMessage[]> {
      const { json } = await ask(`/playground/sessions/${sessionId}/messages`);
      return json['messages'] as ChatMessage[];
    },
    async stop(): Promise<void> {
      playground.stop();
      await close();
      await playground.close();
      await rm(directory, { recursive: true });
    },
  };
}

/** Sends exactly these headers, `Host` included, which `fetch` would not. */
function send(url: string, path: string, options: TestRequest = {}): Promise<TestResponse> {
  const { body, headers = {} } = options;
  const sent = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  const type = sent === undefined ? {} : { 'Content-Type': 'application/json' };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      new URL(path, url),
      {
        method: options.method ?? (sent === undefined ? 'GET' : 'POST'),
        headers: { ...type, ...headers },
        // A connection each: one that the server closes after a refusal must not be used again.
        agent: false,
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => {
          text += chunk;
        });
        incoming.on('error', reject);
        incoming.on('end', () => {
          const isJson = incoming.headers['content-type']?.startsWith('application/json') === true;
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            json: isJson ? JSON.parse(text) : {},
          });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}
