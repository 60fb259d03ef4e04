import type { Tool, ToolContext } from '@minne/core';
import type { MemoryStore } from '@minne/core/memory';
import { MemoryEngine } from '@minne/memory-engine';
import { SqliteMemoryStorage } from '@minne/memory-sqlite';
import { onTestFinished } from 'vitest';
import { createMemoryTools, type MemoryToolsOptions } from '../src/index.js';

/** An empty store of the real engine; it ends with the test. */
export async function openStore(): Promise<MemoryStore> {
  const storage = new SqliteMemoryStorage({ path: ':memory:' });
  onTestFinished(() => storage.close());
  return new MemoryEngine({ storage }).openStore('notes');
}

/** Calls a tool as an agent does: the arguments are checked first. */
export type CallTool = (
  name: string,
  input?: unknown,
  context?: Partial<ToolContext>,
) => Promise<string>;

/** The tools over a store, for the actor `kim` unless said otherwise. */
export function callerOf(
  store: MemoryStore,
  options: MemoryToolsOptions = { actorId: 'kim' },
): CallTool {
  const tools = new Map(createMemoryTools(store, options).map((tool) => [tool.name, tool]));
  return async (name, input = {}, context = {}) => {
    const tool: Tool | undefined = tools.get(name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const answer = await tool.execute(await tool.parse(input), {
      callId: 'call-1',
      sessionId: 'session-1',
      actorId: undefined,
      signal: new AbortController().signal,
      ...context,
    });
    if (typeof answer !== 'string') throw new Error(`${name} did not answer with text.`);
    return answer;
  };
}
