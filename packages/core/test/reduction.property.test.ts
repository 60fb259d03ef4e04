import {
  Agent,
  approvalResponse,
  type ChatMessage,
  type ChatReducer,
  defineTool,
  HistoryProvider,
  messageText,
} from '@minne/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient, toolCall } from './scripted-chat-client.js';
import {
  budgetReducer,
  clearingReducer,
  countingReducer,
  pipeline,
  SummarisingReducer,
} from './small-reducers.js';
import { objection } from './strict-service.js';

type Answer = 'text' | 'failure' | readonly ('work' | 'ask' | 'cut')[];

/** One run: what is said, what the model does, and what happens between it and the one before. */
interface Turn {
  readonly answers: readonly Answer[];
  readonly streamed: boolean;
  readonly leaveAt: number | undefined;
  readonly decide: boolean | undefined;
  readonly system: boolean;
  readonly between: 'nothing' | 'restart' | 'by id' | 'clear' | 'edit';
}

const turn: fc.Arbitrary<Turn> = fc.record({
  answers: fc.array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<Answer>('text') },
      { weight: 1, arbitrary: fc.constant<Answer>('failure') },
      {
        weight: 4,
        arbitrary: fc.array(fc.constantFrom('work', 'ask', 'cut'), { minLength: 1, maxLength: 3 }),
      },
    ),
    { maxLength: 3 },
  ),
  streamed: fc.boolean(),
  leaveAt: fc.option(fc.nat({ max: 12 }), { nil: undefined, freq: 4 }),
  decide: fc.option(fc.boolean(), { nil: undefined }),
  system: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
  between: fc.constantFrom(
    'nothing',
    'nothing',
    'nothing',
    'restart',
    'restart',
    'by id',
    'clear',
    'edit',
  ),
});

interface Way {
  readonly reducer: () => ChatReducer;
  readonly reducerTrigger: 'beforeMessagesRetrieval' | 'afterMessageAdded';
  readonly limit: number | undefined;
  readonly persistPerServiceCall: boolean;
}

const size = fc.integer({ min: 1, max: 6 });
const way: fc.Arbitrary<Way> = fc.record({
  reducer: fc
    .tuple(fc.constantFrom('count', 'summarise', 'clear', 'budget', 'all'), size, size)
    .map(([kind, target, threshold]) => () => {
      if (kind === 'count') return countingReducer(target, threshold);
      if (kind === 'budget') return budgetReducer(300 + target * 50);
      if (kind === 'clear') return clearingReducer(target);
      const summarising = new SummarisingReducer(target, threshold);
      return kind === 'summarise' ? summarising : pipeline(clearingReducer(1), summarising);
    }),
  reducerTrigger: fc.constantFrom('beforeMessagesRetrieval', 'afterMessageAdded'),
  limit: fc.option(fc.integer({ min: 1, max: 8 }), { nil: undefined }),
  persistPerServiceCall: fc.boolean(),
});

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
    name: 'ask',
    description: 'Asks first.',
    parameters,
    requiresApproval: true,
    execute: () => 'allowed',
  }),
];

/** Goes through a whole conversation. */
async function converse(turns: readonly Turn[], { reducer: make, limit, ...rest }: Way) {
  const { reducerTrigger, persistPerServiceCall } = rest;
  const backend = new MemoryBackend();
  const reducer = make();
  const provider = new HistoryProvider({
    backend,
    reducer,
    reducerTrigger,
    ...(limit === undefined ? {} : { limit }),
  });
  const requests: (readonly ChatMessage[])[] = [];
  const warnings: string[] = [];
  const said: string[] = [];
  let requested: readonly { readonly id: string }[] = [];
  let session = new Agent({ chatClient: new ScriptedChatClient([]) }).createSession({
    sessionId: 's',
  });
  for (const [index, { answers, streamed, leaveAt, decide, system, between }] of turns.entries()) {
    const chatClient = new ScriptedChatClient([...answers.map(reply), 'The end.']);
    const agent = new Agent({
      chatClient,
      tools,
      maxToolRounds: 2,
      persistPerServiceCall,
      contextProviders: [provider],
      onDiagnostic: ({ code }) => warnings.push(code),
    });
    if (between === 'restart') {
      session = agent.deserializeSession(
        JSON.parse(JSON.stringify(agent.serializeSession(session))),
      );
    } else if (between === 'by id') session = agent.createSession({ sessionId: 's' });
    else if (between === 'clear' || between === 'edit') {
      // In another process, which has none of the session's state.
      const elsewhere = agent.createSession({ sessionId: 's' });
      if (between === 'clear') await provider.clear(elsewhere);
      else {
        const { messages, version } = await provider.getMessages(elsewhere);
        await provider.setMessages(elsewhere, messages.slice(1), { version });
      }
      requested = [];
    }
    const stored = await provider.getMessages(session);
    const waiting = stored.messages.flatMap((message) =>
      message.contents.flatMap((content) =>
        content.type === 'approval_request' && requested.some(({ id }) => id === content.id)
          ? [content]
          : [],
      ),
    );
    // However much was reduced, what waits is still there.
    expect(waiting.length).toBe(requested.length);
    const decides = waiting.length > 0 && decide !== undefined;
    const text = `turn ${index}.`;
    const input = decides
      ? waiting.map((request) => approvalResponse(request, decide))
      : [...(system ? [{ role: 'system' as const, contents: `rule ${index}.` }] : []), text];
    if (!decides) said.push(text);
    requested = [];
    const [before] = [chatClient.calls.length];
    try {
      if (streamed) {
        let count = 0;
        for await (const event of agent.runStream(input, { session })) {
          if (event.type === 'finish') requested = event.response.approvalRequests;
          if (count++ === leaveAt) break;
        }
      } else {
        requested = (await agent.run(input, { session })).approvalRequests;
      }
    } catch (error) {
      if (!(error instanceof Error) || error.message !== 'offline') throw error;
    }
    for (const { messages } of chatClient.calls.slice(before)) {
      requests.push(messages);
      if (!decides) expect(messages.map(messageText)).toContain(text);
    }
  }
  return { requests, warnings, said, stored: (await provider.getMessages(session)).messages };
}

describe('any conversation whose history is reduced', () => {
  const turns = fc.array(turn, { minLength: 1, maxLength: 8 });

  it('sends only what a strict service takes, and no reducer fails', async () => {
    await fc.assert(
      fc.asyncProperty(turns, way, async (list, given) => {
        const { requests, warnings } = await converse(list, given);
        for (const request of requests) expect(objection(request)).toBeUndefined();
        const faults = ['reducer_failed', 'compaction_dropped', 'reduction_not_read'];
        expect(warnings.filter((code) => faults.includes(code))).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('stores what it would store unreduced, when only the view is reduced', async () => {
    const plain = (messages: readonly ChatMessage[]) =>
      messages.map(({ role, contents, status }) => ({
        role,
        status,
        contents: contents.map((content) => ('id' in content ? { ...content, id: '' } : content)),
      }));
    await fc.assert(
      fc.asyncProperty(turns, way, async (list, given) => {
        const view = { ...given, reducerTrigger: 'beforeMessagesRetrieval' as const };
        const complete = list.map((item) => ({ ...item, leaveAt: undefined }));
        const reduced = await converse(complete, view);
        const whole = await converse(complete, { ...view, reducer: () => countingReducer(1000) });
        expect(plain(reduced.stored)).toEqual(plain(whole.stored));
      }),
      { numRuns: 150 },
    );
  });
});
