import {
  Agent,
  approvalResponse,
  type ChatMessage,
  type Content,
  defineTool,
  HistoryProvider,
  messageText,
} from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import { objection } from './strict-service.js';

/** One answer of the model. */
type Answer = 'text' | 'failure' | readonly ('work' | 'throw' | 'ask' | 'missing' | 'cut')[];

/** One run: how the caller makes it and what the model does in it. */
interface Turn {
  readonly answers: readonly Answer[];
  readonly streamed: boolean;
  /** Leaves the stream, or aborts the run, at this event. */
  readonly leaveAt: number | undefined;
  /** Answers what waits for approval instead of going on. */
  readonly decide: boolean | undefined;
  /** Goes on in another process. */
  readonly resume: boolean;
}

const call = fc.constantFrom('work', 'throw', 'ask', 'missing', 'cut');
const answer: fc.Arbitrary<Answer> = fc.oneof(
  { weight: 3, arbitrary: fc.constant('text' as const) },
  { weight: 1, arbitrary: fc.constant('failure' as const) },
  { weight: 4, arbitrary: fc.array(call, { minLength: 1, maxLength: 3 }) },
);
const turn: fc.Arbitrary<Turn> = fc.record({
  answers: fc.array(answer, { maxLength: 3 }),
  streamed: fc.boolean(),
  leaveAt: fc.option(fc.nat({ max: 12 }), { nil: undefined, freq: 3 }),
  decide: fc.option(fc.boolean(), { nil: undefined }),
  resume: fc.boolean(),
});

/** Call ids come again and again, as some services have them. */
const callIds = ['a', 'b', 'c'];

function reply(kind: Answer): Reply {
  if (kind === 'text') return 'Some words of an answer.';
  if (kind === 'failure') {
    return () => {
      throw new Error('offline');
    };
  }
  return kind.map((name, index) =>
    toolCall(callIds[index] ?? 'a', name === 'cut' ? 'work' : name, name === 'cut' ? '{"n":' : {}),
  );
}

const parameters = z.object({});
const tools = [
  defineTool({ name: 'work', description: 'Works.', parameters, execute: () => 'done' }),
  defineTool({
    name: 'throw',
    description: 'Throws.',
    parameters,
    execute: () => {
      throw new Error('broken');
    },
  }),
  defineTool({
    name: 'ask',
    description: 'Asks first.',
    parameters,
    requiresApproval: true,
    execute: () => 'allowed',
  }),
];

/** Goes through a whole conversation and returns what the model was sent and what is stored. */
async function converse(turns: readonly Turn[], persistPerServiceCall: boolean) {
  const backend = new MemoryBackend();
  const requests: (readonly ChatMessage[])[] = [];
  const spoken: string[] = [];
  let waiting: Awaited<ReturnType<Agent['run']>>['approvalRequests'] = [];
  const build = (replies: readonly Reply[]) => {
    const chatClient = new ScriptedChatClient([...replies, 'The end.']);
    const provider = new HistoryProvider({ backend });
    const agent = new Agent({
      chatClient,
      instructions: 'rules',
      tools,
      maxToolRounds: 2,
      persistPerServiceCall,
      contextProviders: [provider],
    });
    return { agent, chatClient, provider };
  };
  let { provider } = build([]);
  let session = build([]).agent.createSession({ sessionId: 's' });
  for (const [index, { answers, streamed, leaveAt, decide, resume }] of turns.entries()) {
    const built = build(answers.map(reply));
    provider = built.provider;
    const { agent, chatClient } = built;
    if (resume) {
      session = agent.deserializeSession(
        JSON.parse(JSON.stringify(agent.serializeSession(session))),
      );
    }
    const text = `turn ${index}`;
    const input =
      waiting.length > 0 && decide !== undefined
        ? waiting.map((request) => approvalResponse(request, decide))
        : text;
    if (input === text) spoken.push(text);
    waiting = [];
    try {
      if (streamed) {
        let count = 0;
        for await (const event of agent.runStream(input, { session })) {
          if (event.type === 'finish') waiting = event.response.approvalRequests;
          if (count++ === leaveAt) break;
        }
      } else {
        waiting = (await agent.run(input, { session })).approvalRequests;
      }
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'offline') throw error;
    }
    requests.push(...chatClient.calls.map(({ messages }) => messages));
    expect(chatClient.calls.every(({ options }) => options.instructions === 'rules')).toBe(true);
  }
  const { messages, damaged } = await provider.getMessages(session);
  expect(damaged).toEqual([]);
  return { requests, stored: messages, spoken };
}

describe('any conversation', () => {
  const turns = fc.array(turn, { minLength: 1, maxLength: 5 });

  it('sends only what a strict service takes, whatever went wrong before', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.boolean(), async (list, perCall) => {
        const { requests } = await converse(list, perCall);
        for (const request of requests) expect(objection(request)).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('stores every message once, in the order in which it was said', async () => {
    await fc.assert(
      fc.asyncProperty(turns, fc.boolean(), async (list, perCall) => {
        const { stored, spoken } = await converse(list, perCall);
        expect(new Set(stored.map(({ id }) => id)).size).toBe(stored.length);
        const said = stored
          .filter(({ role, contents }) => role === 'user' && contents[0]?.type === 'text')
          .map(messageText);
        // What failed before anything was done is not stored, unless the input is stored first.
        expect(spoken.filter((text) => said.includes(text))).toEqual(said);
        if (perCall) expect(said).toEqual(spoken);
      }),
      { numRuns: 200 },
    );
  });

  it('never leaves a call in the store that neither has a result nor waits', async () => {
    await fc.assert(
      fc.asyncProperty(turns, async (list) => {
        const { stored } = await converse(list, false);
        const contents: Content[] = stored.flatMap((message) => [...message.contents]);
        const count = (type: Content['type']) =>
          contents.filter((content) => content.type === type).length;
        const lastRequest = stored.findLastIndex((message) =>
          message.contents.some(({ type }) => type === 'approval_request'),
        );
        const open = count('tool_call') - count('tool_result');
        expect(open).toBeGreaterThanOrEqual(0);
        if (lastRequest < 0) expect(open).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('is stored alike, streamed or not', async () => {
    const outline = (messages: readonly ChatMessage[]) =>
      messages.map(({ role, status, contents }) => ({
        role,
        status,
        contents: contents.map((content) =>
          'id' in content ? { ...content, id: 'approval' } : content,
        ),
      }));
    await fc.assert(
      fc.asyncProperty(turns, async (list) => {
        const complete = list.map((item) => ({ ...item, leaveAt: undefined }));
        const whole = await converse(
          complete.map((item) => ({ ...item, streamed: false })),
          false,
        );
        const streamed = await converse(
          complete.map((item) => ({ ...item, streamed: true })),
          false,
        );
        expect(outline(streamed.stored)).toEqual(outline(whole.stored));
      }),
      { numRuns: 100 },
    );
  });
});
