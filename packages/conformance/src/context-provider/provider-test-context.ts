import {
  Agent,
  type AgentOptions,
  type AgentResponse,
  type AgentSession,
  type ContextProvider,
  HistoryProvider,
  type MessageInput,
  SessionHistoryBackend,
  type Warning,
} from '@minne/core';
import { expect } from 'vitest';
import { ProbeProvider } from './probe-provider.js';
import type { ContextProviderSuiteOptions, ProviderTestPlace } from './provider-suite-options.js';
import { RecordingChatClient } from './recording-chat-client.js';

/** An agent with the provider that is tested, and with what watches it. */
export interface TestAgent {
  readonly agent: Agent;
  readonly provider: ContextProvider;
  /** Keeps the messages: the provider itself when it is a history provider that loads. */
  readonly history: HistoryProvider;
  readonly probes: readonly [ProbeProvider, ProbeProvider];
  /** All that the agent has reported. */
  readonly warnings: readonly Warning[];
}

/** One place with a model of its own, so that what happens in it can be compared to another's. */
export class ProviderWorld {
  readonly model = new RecordingChatClient();
  readonly #place: ProviderTestPlace;
  /** Every agent of the world takes from one row, so that no two messages share an id. */
  #ids = 0;
  #time = Date.parse('2026-05-01T10:00:00.000Z');

  constructor(place: ProviderTestPlace) {
    this.#place = place;
  }

  /** An instance of the provider on this place. */
  async open(): Promise<ContextProvider> {
    return this.#place.open();
  }

  /** An agent with an instance of its own. */
  async agent(options: Partial<AgentOptions> = {}): Promise<TestAgent> {
    const provider = await this.open();
    const loads = HistoryProvider.isInstance(provider) && provider.loadMessages;
    const history = loads
      ? provider
      : new HistoryProvider({ backend: new SessionHistoryBackend(), sourceId: 'kit_history' });
    const probes = [
      new ProbeProvider('before', provider),
      new ProbeProvider('after', provider),
    ] as const;
    const warnings: Warning[] = [];
    const agent = new Agent({
      chatClient: this.model,
      contextProviders: [...(loads ? [] : [history]), probes[0], provider, probes[1]],
      ids: () => `id${++this.#ids}`,
      clock: () => this.#nextTime(),
      onDiagnostic: (warning) => warnings.push(warning),
      ...options,
    });
    return { agent, provider, history, probes, warnings };
  }

  /** What the provider waits for stands still from now on. */
  async stall(): Promise<void> {
    if (this.#place.stall === undefined) {
      expect.fail('The suite declares stall and its place has no such method.');
    }
    await this.#place.stall();
  }

  #nextTime(): Date {
    this.#time += 1_000;
    return new Date(this.#time);
  }
}

/** What a case works with. */
export class ProviderTestContext {
  readonly #create: ContextProviderSuiteOptions['create'];
  readonly #places: ProviderTestPlace[] = [];

  constructor(create: ContextProviderSuiteOptions['create']) {
    this.#create = create;
  }

  /** A place that nothing has happened in. */
  async world(): Promise<ProviderWorld> {
    const place = await this.#create();
    this.#places.push(place);
    return new ProviderWorld(place);
  }

  /** Ends the case. */
  async dispose(): Promise<void> {
    const places = this.#places.splice(0);
    for (const place of places) await place.remove?.();
  }
}

/** Runs the agent with each input in turn, the second one streamed, and so on in turns. */
export async function converse(
  agent: Agent,
  session: AgentSession,
  inputs: readonly MessageInput[],
): Promise<void> {
  for (const [index, input] of inputs.entries()) {
    if (index % 2 === 0) await agent.run(input, { session });
    else await runStreamed(agent, session, input);
  }
}

async function runStreamed(
  agent: Agent,
  session: AgentSession,
  input: MessageInput,
): Promise<AgentResponse> {
  for await (const event of agent.runStream(input, { session })) {
    if (event.type === 'finish') return event.response;
  }
  return expect.fail('The stream ended without its last event.');
}
