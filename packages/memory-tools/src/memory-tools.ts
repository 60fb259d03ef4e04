import { ConfigurationError, defineTool, type Tool, type ToolContext } from '@minne/core';
import { checkIdentifier, type MemoryStore } from '@minne/core/memory';
import { forgetMemory } from './forget-memory.js';
import { listMemories } from './list-memories.js';
import { type MemoryAction, runAction } from './memory-action.js';
import { saveMemory } from './save-memory.js';
import { searchMemory } from './search-memory.js';

/** Options of {@link createMemoryTools}. */
export interface MemoryToolsOptions {
  /**
   * Whose memories the tools touch. Default: the `actorId` of the session in which they are called, for
   * an agent that serves many; a session without one is refused.
   */
  readonly actorId?: string;
  /**
   * Told of failures of the store, beside the model, which is told in words of its own. Default: nobody.
   */
  readonly onError?: (error: unknown, toolName: string) => void;
}

/**
 * The tools `search_memory`, `save_memory`, `list_memories` and `forget_memory`, over a store. They touch
 * the memories of one actor, whom the application names and no argument can change.
 *
 * Each answers with text, and with text too when something is wrong that the model can put right.
 * @throws MemoryError when `actorId` cannot be an actor.
 */
export function createMemoryTools(
  store: MemoryStore,
  options: MemoryToolsOptions = {},
): readonly Tool[] {
  const { onError } = options;
  const bound =
    options.actorId === undefined ? undefined : checkIdentifier(options.actorId, 'actorId');

  const toolOf = <Input>(action: MemoryAction<Input>): Tool =>
    defineTool<Input>({
      name: action.name,
      description: action.description,
      parameters: action.parameters,
      execute: (input, context) => {
        const actorId = bound ?? actorOf(context, action.name);
        return runAction(action, input, { store, actorId, signal: context.signal, onError });
      },
    });

  return [toolOf(searchMemory), toolOf(saveMemory), toolOf(listMemories), toolOf(forgetMemory)];
}

function actorOf(context: ToolContext, toolName: string): string {
  if (context.actorId !== undefined) return checkIdentifier(context.actorId, 'actorId');
  throw new ConfigurationError(
    `${toolName} does not know whose memories it should touch. Create the session with an actorId, or give createMemoryTools one.`,
    { packageName: '@minne/memory-tools', field: 'actorId', sessionId: context.sessionId },
  );
}
