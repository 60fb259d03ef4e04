import {
  type ChatMessage,
  type ChatMessageInit,
  type ChatResponseUpdate,
  type Content,
  createMessage,
  ResponseAccumulator,
  systemClock,
  uuidv7,
} from '@minne/core';
import { type OpenAIWireServer, startOpenAIWire } from '@minne/openai-wire';
import OpenAI7 from 'openai';
import OpenAI6 from 'openai-v6';
import {
  OpenAIChatCompletionClient,
  type OpenAIChatCompletionCommonOptions,
  OpenAIResponsesClient,
  type OpenAIResponsesCommonOptions,
} from '../src/index.js';

export const apiKey = 'sk-test-1234567890abcdefghij';

/** The oldest and the newest major of the peer `openai`. */
export const openAIVersions = [
  ['6.0.0', OpenAI6],
  ['7', OpenAI7],
] as const;

export function startWire(
  options: Parameters<typeof startOpenAIWire>[0] = {},
): Promise<OpenAIWireServer> {
  return startOpenAIWire({ apiKey, ...options });
}

/** A client that tries once and prints nothing. */
export function clientOf(
  server: OpenAIWireServer,
  options: Partial<OpenAIChatCompletionCommonOptions> = {},
  OpenAI: typeof OpenAI6 | typeof OpenAI7 = OpenAI7,
): OpenAIChatCompletionClient {
  return new OpenAIChatCompletionClient({
    modelId: 'gpt-test',
    client: instanceOf(server, OpenAI),
    ...options,
  });
}

/** The same over Responses. */
export function responsesClientOf(
  server: OpenAIWireServer,
  options: Partial<OpenAIResponsesCommonOptions> = {},
  OpenAI: typeof OpenAI6 | typeof OpenAI7 = OpenAI7,
): OpenAIResponsesClient {
  return new OpenAIResponsesClient({
    modelId: 'gpt-test',
    client: instanceOf(server, OpenAI),
    ...options,
  });
}

function instanceOf(server: OpenAIWireServer, OpenAI: typeof OpenAI6 | typeof OpenAI7) {
  return new OpenAI({ apiKey, baseURL: server.baseUrl, maxRetries: 0, logLevel: 'off' });
}

export function message(init: ChatMessageInit): ChatMessage {
  return createMessage(init, uuidv7, systemClock);
}

export function user(...contents: readonly (string | Content)[]): ChatMessage {
  return said('user', ...contents);
}

export function said(
  role: ChatMessage['role'],
  ...contents: readonly (string | Content)[]
): ChatMessage {
  return message({
    role,
    contents: contents.map((item) =>
      typeof item === 'string' ? { type: 'text', text: item } : item,
    ),
  });
}

/** Body of the last request that the server got. */
export function lastBody(server: OpenAIWireServer): Record<string, unknown> {
  return server.requests.at(-1)?.body as Record<string, unknown>;
}

export async function collect(updates: AsyncIterable<ChatResponseUpdate>) {
  const list: ChatResponseUpdate[] = [];
  for await (const update of updates) list.push(update);
  return list;
}

/** What the agent makes of a stream. */
export async function accumulate(
  updates: AsyncIterable<ChatResponseUpdate>,
): Promise<ResponseAccumulator> {
  const accumulator = new ResponseAccumulator(uuidv7, systemClock);
  for await (const update of updates) accumulator.add(update);
  return accumulator;
}

/** The error that `work` fails with. */
export async function failureOf(work: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (error instanceof Error) return error as Error & Record<string, unknown>;
  throw new Error(`expected an error, got ${String(error)}`);
}
