// Which share of what is sent lies in the beginning that the request before had too: what a prompt cache of
// a service can keep. By the reducer alone, and by an agent with its history provider.
import { Agent, countMessage, defineTool } from '@minne/core';
import { InMemoryHistoryProvider } from '@minne/history-inmemory';
import { estimatedTokenCounter, MessageCountingReducer } from '@minne/reducers';
import { minne } from './dialects.mjs';
import { evenHistory } from './histories.mjs';
import { printTable } from './table.mjs';

/** Adds requests up, message by message as they go over the wire. */
export class PrefixMeter {
  sent = 0;
  same = 0;
  #before = [];
  #costs = new Map();

  add(messages) {
    const request = minne.toWire(messages).map((message) => JSON.stringify(message));
    let shared = 0;
    while (shared < this.#before.length && this.#before[shared] === request[shared]) shared += 1;
    let same = 0;
    let sent = 0;
    for (const [index, text] of request.entries()) {
      let cost = this.#costs.get(text);
      if (cost === undefined) {
        cost = countMessage(messages[index], estimatedTokenCounter);
        this.#costs.set(text, cost);
      }
      sent += cost;
      if (index < shared) same += cost;
    }
    this.sent += sent;
    this.same += same;
    this.#before = request;
    return { sent, same };
  }
}

/** What is sent with this reducer over even turns of two model calls each. */
export async function* requestsOf(reducer, all) {
  let view = [];
  for (let at = 0; at < all.length; at += 4) {
    // What is reduced stays reduced, as a history provider keeps it.
    view = (await reducer.reduce([...view, all[at]])).messages;
    yield { turn: at / 4, request: view };
    view = [...view, all[at + 1], all[at + 2]];
    yield { turn: at / 4, request: view };
    view = [...view, all[at + 3]];
  }
}

async function alone(reducer, all) {
  const meter = new PrefixMeter();
  for await (const { request } of requestsOf(reducer, all)) meter.add(request);
  return meter.same / meter.sent;
}

/** @param setting - What of the agent, its history provider and its runs differs. */
const byAgent =
  (reducerTrigger, setting = {}) =>
  async (reducer, all) => {
    const { instructions, providers = [], flags = {}, runOptions = () => ({}) } = setting;
    const meter = new PrefixMeter();
    let at = 0;
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: { type: 'object', properties: { at: { type: 'string' } } },
      execute: () => all[at + 2].contents[0].result,
    });
    const chatClient = {
      specificationVersion: 'v1',
      historyStorage: 'none',
      getResponse: async (messages, options) => {
        const told = {
          role: 'system',
          contents: [{ type: 'text', text: options.instructions ?? '' }],
        };
        meter.add(options.instructions === undefined ? messages : [told, ...messages]);
        const { contents } = all[at + (messages.at(-1).role === 'tool' ? 3 : 1)];
        return { messages: [{ role: 'assistant', contents }] };
      },
    };
    const history = new InMemoryHistoryProvider({ reducer, reducerTrigger, ...flags });
    const contextProviders = [history, ...providers];
    const agent = new Agent({
      chatClient,
      tools: [look],
      contextProviders,
      ...(instructions === undefined ? {} : { instructions }),
    });
    const session = agent.createSession();
    for (; at < all.length; at += 4) {
      await agent.run(all[at].contents[0].text, { session, ...runOptions(at / 4) });
    }
    return meter.same / meter.sent;
  };

const instructions = 'You book journeys by train, and answer in a sentence or two. '.repeat(10);
const timeOf = (turn) => `It is minute ${turn} of the journey.`;
const clock = () => {
  let turn = 0;
  return {
    specificationVersion: 'v1',
    sourceId: 'clock',
    beforeRun: async () => {
      turn += 1;
      return { messages: [{ role: 'user', contents: timeOf(turn) }] };
    },
  };
};
/** Where a sentence that is another one every turn can stand. */
const places = [
  ['no such sentence', () => ({ instructions })],
  [
    'in the instructions of the run',
    () => ({ instructions, runOptions: (turn) => ({ instructions: timeOf(turn) }) }),
  ],
  [
    'in the turnInstructions of the run',
    () => ({ instructions, runOptions: (turn) => ({ turnInstructions: timeOf(turn) }) }),
  ],
  ['a message of a provider', () => ({ instructions, providers: [clock()] })],
  [
    'a message of a provider, stored',
    () => ({ instructions, providers: [clock()], flags: { storeContextMessages: true } }),
  ],
];

export async function measurePrefix(turns = 1_000) {
  const all = evenHistory(turns);
  const rows = [];
  for (const [target, threshold] of [
    [100, 100],
    [20, 20],
  ]) {
    for (const [name, options] of [
      [`${target + threshold} → ${target} messages`, { targetCount: target, threshold }],
      [`plain window of ${target}`, { targetCount: target }],
      [`plain window of ${target + threshold}`, { targetCount: target + threshold }],
    ]) {
      const shares = [];
      for (const way of [alone, byAgent('beforeMessagesRetrieval'), byAgent('afterMessageAdded')]) {
        shares.push(await way(new MessageCountingReducer(options), all));
      }
      rows.push([name, ...shares.map((share) => `${(share * 100).toFixed(1)} %`)]);
    }
  }
  printTable(
    `Share of the tokens sent over ${turns.toLocaleString('en')} turns that lie in an unchanged prefix`,
    ['', 'reducer alone', 'agent, beforeMessagesRetrieval', 'agent, afterMessageAdded'],
    rows,
  );
  const placed = [];
  for (const [name, setting] of places) {
    const reducer = new MessageCountingReducer({ targetCount: 100, threshold: 100 });
    const share = await byAgent('beforeMessagesRetrieval', setting())(reducer, all);
    placed.push([name, `${(share * 100).toFixed(1)} %`]);
  }
  printTable(
    'The same with instructions, at 200 → 100 messages, by where a sentence stands that changes every turn',
    ['', 'share'],
    placed,
  );
}
