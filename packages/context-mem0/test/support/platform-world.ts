import { Agent, type AgentOptions, type AgentSession, type Warning } from '@minne/core';
import { type Mem0WireServer, startMem0Wire } from '@minne/mem0-wire';
import { createMem0PlatformClient } from '../../src/create-mem0-client.js';
import type { Mem0ContextProviderOptions } from '../../src/mem0-context-options.js';
import { Mem0ContextProvider } from '../../src/mem0-context-provider.js';
import { RecordingChatClient } from './recording-chat-client.js';

/** The key of the tests, which no error may show. It does not look like one. */
export const apiKey = 'hush-of-the-test';

/** An agent that remembers in a service of its own. */
export interface PlatformWorld extends AsyncDisposable {
  readonly wire: Mem0WireServer;
  readonly model: RecordingChatClient;
  readonly agent: Agent;
  readonly warnings: readonly Warning[];
  /** A run in a session that nothing was said in. @returns What the model was sent. */
  ask(actorId: string, input: string): Promise<readonly string[]>;
  session(actorId?: string): AgentSession;
}

/** Starts the service, and an agent whose provider uses it through the real client of `mem0ai`. */
export async function createPlatformWorld(
  options: Partial<Mem0ContextProviderOptions> = {},
  agentOptions: Partial<AgentOptions> = {},
): Promise<PlatformWorld> {
  const wire = await startMem0Wire({ apiKey });
  const model = new RecordingChatClient();
  const warnings: Warning[] = [];
  const client = await createMem0PlatformClient({ apiKey, host: wire.host });
  // It asks by itself too, and complains when the service has gone before it is answered.
  await client.ping();
  const agent = new Agent({
    chatClient: model,
    contextProviders: [new Mem0ContextProvider({ client, ...options })],
    onDiagnostic: (warning) => warnings.push(warning),
    ...agentOptions,
  });
  const session = (actorId?: string): AgentSession =>
    agent.createSession(actorId === undefined ? {} : { actorId });
  return {
    wire,
    model,
    agent,
    warnings,
    session,
    ask: async (actorId, input) => {
      await agent.run(input, { session: session(actorId) });
      return model.lastTexts;
    },
    [Symbol.asyncDispose]: () => wire.close(),
  };
}
