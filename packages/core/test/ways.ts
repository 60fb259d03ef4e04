import type { Agent, AgentResponse, ChatMessage } from '@minne/core';

/** Runs the agent one way or the other, with the same result. */
export const ways = [
  {
    way: 'run',
    ask: (agent: Agent, ...args: Parameters<Agent['run']>): Promise<AgentResponse> =>
      agent.run(...args),
  },
  {
    way: 'runStream',
    ask: async (agent: Agent, ...args: Parameters<Agent['run']>): Promise<AgentResponse> => {
      const events = await Array.fromAsync(agent.runStream(...args));
      const last = events.at(-1);
      if (last?.type !== 'finish') throw new Error(`the stream ended with ${last?.type}`);
      return last.response;
    },
  },
] as const;

/** Messages in a line each, for comparing. */
export function outline(messages: readonly ChatMessage[]): string[] {
  return messages.map(({ role, contents, status }) => {
    const parts = contents.map((content) => {
      switch (content.type) {
        case 'text':
          return content.text;
        case 'tool_call':
          return `call ${content.callId} ${content.name}(${content.arguments})`;
        case 'tool_result':
          return `result ${content.callId} ${content.error ?? JSON.stringify(content.result)}`;
        default:
          return content.type;
      }
    });
    return `${role}: ${parts.join(' | ')}${status === undefined ? '' : ` [${status}]`}`;
  });
}
