import { testChatClient } from '@minne/conformance/chat-client';
import { DemonstrationChatClient } from '../src/demonstration-model/demonstration-chat-client.js';

const byRules = 'The model says what its rules say, and cannot be told what to say.';
const withoutService = 'The model runs in this process; there is no service that could fail.';

testChatClient({
  name: 'DemonstrationChatClient',
  create: () => ({
    open: () => new DemonstrationChatClient({ wordDelay: 1 }),
    script: () => undefined,
    received: () => 0,
    idle: () => Promise.resolve(),
  }),
  skip: [
    ...[
      'answers with one message of the assistant, whole and streamed alike',
      'hands out the pieces of a stream as they come',
      'gives every character of an answer',
      'gives a long answer whole',
      'takes an answer without a word for one, and not for an error',
      'says when an answer was cut for its length',
      'keeps calls apart that are made at once',
      'takes a conversation with messages of every role, and contents that nobody knows',
      'takes text in every script',
    ].map((test) => ({ test, reason: byRules })),
    ...[
      'ends the request when the signal aborts before the answer, and gives its reason',
      'answers again after an error, an abort and a stream that was left',
      'throws a ChatClientError that is retryable when the service is overloaded',
      'throws a ChatClientError that is not retryable when the service refuses the request',
      'throws a ChatClientError when the connection breaks, and never takes a part for the whole',
      'throws nothing when a stream is asked for, but when it is read',
    ].map((test) => ({ test, reason: withoutService })),
  ],
});
