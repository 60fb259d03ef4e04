import { beforeAll, describe, expect, it } from 'vitest';
import { chatClientCases, runChatClientCase } from '../src/chat-client/chat-client-cases.js';
import * as answers from './broken-chat-clients/broken-answers.js';
import * as calls from './broken-chat-clients/broken-calls.js';
import * as requests from './broken-chat-clients/broken-requests.js';
import { failuresOf } from './failures-of.js';
import { ReferenceChatClient, type ReferenceChatOptions } from './reference-chat-client.js';
import { startChatService } from './reference-chat-service.js';

type ClientClass = new (options: ReferenceChatOptions) => ReferenceChatClient;

/** Each fault, and the case that must find it. Others may find it, too. */
const faults: readonly (readonly [ClientClass, string])[] = [
  [answers.KeepsAnotherContract, 'names the version of the contract it keeps'],
  [answers.SplitsMessages, 'answers with one message of the assistant, whole and streamed alike'],
  [calls.WaitsForTheEnd, 'hands out the pieces of a stream as they come'],
  [answers.LosesNul, 'gives every character of an answer'],
  [answers.CutsLongAnswers, 'gives a long answer whole'],
  [answers.ThrowsOnSilence, 'takes an answer without a word for one, and not for an error'],
  [answers.AlwaysStops, 'says when an answer was cut for its length'],
  [answers.MissesUsage, 'says what a call has cost, whole and streamed alike'],
  [
    answers.ThinksAloud,
    'keeps what the model thought apart from what it says, whole and streamed alike',
  ],
  [
    answers.ParsesArguments,
    'gives a tool call with its id, its name and its arguments letter by letter',
  ],
  [answers.KeepsOneCall, 'gives parallel calls in their order, each with its own arguments'],
  [answers.AppendsToTheLastCall, 'puts the pieces of parallel calls together that come in turns'],
  [answers.DropsTextBesideCalls, 'gives text and calls of one answer'],
  [calls.IgnoresTheSignal, 'asks nothing when the signal has aborted, and gives its reason'],
  [
    calls.IgnoresTheSignal,
    'ends the request when the signal aborts before the answer, and gives its reason',
  ],
  [
    calls.EndsQuietlyOnAbort,
    'ends the request when the signal aborts in the middle of a stream, and gives its reason',
  ],
  [calls.ReadsAhead, 'ends the request when the stream is left'],
  [calls.StaysAborted, 'answers again after an error, an abort and a stream that was left'],
  [calls.KeepsTheAnswerInItself, 'keeps calls apart that are made at once'],
  [
    calls.NeverRetryable,
    'throws a ChatClientError that is retryable when the service is overloaded',
  ],
  [
    calls.AlwaysRetryable,
    'throws a ChatClientError that is not retryable when the service refuses the request',
  ],
  ...[calls.ThrowsRawErrors, calls.TakesAPartForTheWhole].map(
    (Client) =>
      [
        Client,
        'throws a ChatClientError when the connection breaks, and never takes a part for the whole',
      ] as const,
  ),
  [calls.ThrowsAtOnce, 'throws nothing when a stream is asked for, but when it is read'],
  [calls.FillsInDefaults, 'changes neither the messages nor the options it is given'],
  [calls.ClosesSchemas, 'changes none of the tools it is given'],
  [
    calls.RefusesUnknownContents,
    'takes a conversation with messages of every role, and contents that nobody knows',
  ],
  [calls.ExpectsResults, 'takes a conversation with calls of tools and their results'],
  [calls.EncodesText, 'takes text in every script'],
  [
    calls.NeedsALastContent,
    'takes no messages, and messages without contents, or refuses them with an error of Minne',
  ],
  ...[
    requests.SendsTheLastMessage,
    requests.InstructsTwice,
    requests.TurnsTheConversationRound,
  ].map(
    (Client) =>
      [Client, 'sends the instructions, and every message once and in its order'] as const,
  ),
  [requests.ForgetsParameters, 'sends the name, the description and the parameters of a tool'],
  ...[requests.SwapsCallIds, requests.HidesErrors].map(
    (Client) =>
      [
        Client,
        'sends each call with its arguments, and each result with the id of its own call',
      ] as const,
  ),
  [answers.StoresUnasked, 'says what its service can keep, and whether it does so unasked'],
  [
    answers.InventsConversations,
    'names a conversation at the service when that keeps one, and only then',
  ],
  [calls.ForgetsConversations, 'goes on with a conversation at the service'],
];

describe('the kit for chat clients', () => {
  const failures = new Map<ClientClass, readonly string[]>();

  beforeAll(async () => {
    const broken = [...new Set(faults.map(([Client]) => Client))];
    // Most of the time is spent waiting for those that do not stop.
    const found = await Promise.all(broken.map(failuresIn));
    for (const [index, Client] of broken.entries()) failures.set(Client, found[index] ?? []);
  }, 60_000);

  it('gives every case a name of its own', () => {
    const names = chatClientCases.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('passes a correct client', async () => {
    expect(await failuresIn(ReferenceChatClient)).toEqual([]);
  });

  it.each(faults.map(([Client, name]) => ({ Client, fault: Client.name, name })))(
    'fails $fault at "$name"',
    ({ Client, name }) => {
      expect(failures.get(Client)).toContain(name);
    },
  );

  it('has no case that nothing can fail', () => {
    const failed = new Set([...failures.values()].flat());
    const names = chatClientCases.map(({ name }) => name);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
  });
});

function failuresIn(Client: ClientClass): Promise<readonly string[]> {
  return failuresOf(chatClientCases, (testCase) =>
    runChatClientCase(testCase, () => startChatService(Client, 'optional')),
  );
}
