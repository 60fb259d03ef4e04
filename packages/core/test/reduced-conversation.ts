import {
  Agent,
  type AgentOptions,
  type AgentSession,
  type ChatReducer,
  defineTool,
  HistoryProvider,
  type HistoryProviderOptions,
  messageText,
} from '@minne/core';
import { z } from 'zod';
import { MemoryBackend } from './memory-backend.js';
import { type Reply, ScriptedChatClient } from './scripted-chat-client.js';

const parameters = z.object({});

/** A tool with a long result. */
export const work = defineTool({
  name: 'work',
  description: 'Works.',
  parameters,
  execute: () => 'a long result',
});

const guarded = defineTool({
  name: 'guarded',
  description: 'Asks first.',
  parameters,
  requiresApproval: true,
  execute: () => 'allowed',
});

interface Given extends Omit<HistoryProviderOptions, 'backend'> {
  readonly reducer: ChatReducer;
  readonly backend?: MemoryBackend;
  readonly agent?: Partial<AgentOptions>;
}

/** An agent whose model answers every message with `re: …`, unless told otherwise, and whose history is reduced. */
export function conversation({ backend = new MemoryBackend(), agent: more = {}, ...flags }: Given) {
  const provider = new HistoryProvider({ ...flags, backend });
  const script: Reply[] = [];
  const echo: Reply = ({ messages }) => `re: ${messageText(messages.at(-1) ?? { contents: [] })}`;
  const chatClient = new ScriptedChatClient(
    Array.from({ length: 200 }, () => (call) => {
      const next = script.shift() ?? echo;
      return typeof next === 'function' ? next(call) : next;
    }),
  );
  const agent = new Agent({
    chatClient,
    contextProviders: [provider],
    tools: [work, guarded],
    ...more,
  });
  const session = agent.createSession({ sessionId: 's' });
  return {
    agent,
    backend,
    provider,
    chatClient,
    script,
    session,
    /** The texts of the newest request. */
    sent: () => chatClient.calls.at(-1)?.messages.map(messageText) ?? [],
    stored: async () => (await provider.getMessages(session)).messages.map(messageText),
  };
}

/** Says the numbers, a run for each. */
export async function say(
  agent: Agent,
  session: AgentSession,
  from: number,
  to: number,
): Promise<void> {
  for (let turn = from; turn <= to; turn += 1) await agent.run(`${turn}`, { session });
}

/** The session as another process gets it. */
export function restarted(agent: Agent, session: AgentSession): AgentSession {
  return agent.deserializeSession(JSON.parse(JSON.stringify(agent.serializeSession(session))));
}
