import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type {
  ChatTestService,
  ScriptedAnswer,
  ScriptedReply,
  ScriptedToolCall,
} from '../src/chat-client/index.js';
import type { ReferenceChatClient, ReferenceChatOptions } from './reference-chat-client.js';

/** What a line of a streamed answer, or the whole of one that is not streamed, may hold. */
export interface WireAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly (Partial<ScriptedToolCall> & { readonly index: number })[];
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  readonly finish?: string;
  readonly conversation?: string;
}

/** What is asked of the service. */
interface WireRequest {
  readonly stream: boolean;
  readonly store: boolean;
}

type ClientClass = new (options: ReferenceChatOptions) => ReferenceChatClient;

/** Starts an HTTP server that answers by its script, in lines of JSON where it streams. */
export async function startChatService(
  Client: ClientClass,
  historyStorage: ReferenceChatClient['historyStorage'] = 'none',
): Promise<ChatTestService> {
  const script: ScriptedReply[] = [];
  const ends: Promise<unknown>[] = [];
  let sent = '';
  const server = createServer((request, response) => {
    ends.push(once(response, 'close'));
    void text(request).then((body) => {
      sent = body;
      reply(script.shift(), JSON.parse(body) as WireRequest, response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    open: () => new Client({ url: `http://127.0.0.1:${port}/`, historyStorage }),
    script: (...replies) => {
      script.push(...replies);
    },
    received: () => ends.length,
    idle: () => Promise.all(ends),
    sent: () => sent,
    remove: () => close(server),
  };
}

function reply(
  scripted: ScriptedReply | undefined,
  { stream, store }: WireRequest,
  response: ServerResponse,
): void {
  switch (scripted?.kind) {
    case 'answer': {
      const lines = linesOf(scripted, store);
      if (stream) for (const line of lines) response.write(`${JSON.stringify(line)}\n`);
      response.end(stream ? '' : JSON.stringify(wholeOf(scripted, store)));
      return;
    }
    case 'stall':
    case 'cut': {
      const begin = JSON.stringify({ text: scripted.text.slice(0, 9) });
      response.write(stream ? `${begin}\n` : begin.slice(0, -3), () => {
        if (scripted.kind === 'cut') response.destroy();
      });
      return;
    }
    default:
      response.statusCode = scripted?.retryable === true ? 503 : 400;
      response.end('The service cannot answer this.');
  }
}

function wholeOf(answer: ScriptedAnswer, store: boolean): WireAnswer {
  const { text = '', reasoning = '', toolCalls = [], usage } = answer;
  return {
    text,
    reasoning,
    calls: toolCalls.map((call, index) => ({ ...call, index })),
    finish: finishOf(answer),
    ...(usage === undefined ? {} : { usage }),
    ...(store ? { conversation: 'conversation_1' } : {}),
  };
}

function linesOf(answer: ScriptedAnswer, store: boolean): WireAnswer[] {
  const { text = '', reasoning = '', toolCalls = [], usage, interleaved = false } = answer;
  const calls = toolCalls.map(({ arguments: whole, ...head }, index) => [
    { calls: [{ ...head, index }] },
    ...pieces(whole).map((piece) => ({ calls: [{ arguments: piece, index }] })),
  ]);
  return [
    ...(store ? [{ conversation: 'conversation_1' }] : []),
    ...pieces(reasoning).map((piece) => ({ reasoning: piece })),
    ...pieces(text).map((piece) => ({ text: piece })),
    ...(interleaved ? inTurns(calls) : calls.flat()),
    { finish: finishOf(answer) },
    ...(usage === undefined ? [] : [{ usage }]),
  ];
}

function finishOf({ finishReason, toolCalls = [] }: ScriptedAnswer): string {
  return finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
}

/** Cut anywhere, in the middle of a character, too. */
function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,7}/g) ?? [];
}

function inTurns<T>(rows: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...rows.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) => rows.map((row) => row[index]))
    .flat()
    .filter((item) => item !== undefined);
}

async function close(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
