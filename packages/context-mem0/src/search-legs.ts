import { ConfigurationError } from '@minne/core';
import { type Mem0Scope, type ScopePart, scopeFields } from './mem0-scope.js';
import { packageName } from './package-name.js';

/** Whom a memory is about, as the model is told. */
export type MemoryOwner = 'user' | 'agent' | 'session';

/** One of the searches that a scope takes, side by side. */
export interface SearchLeg {
  readonly owner: MemoryOwner;
  readonly filters: Record<string, unknown>;
}

/**
 * The searches of a scope: one for the user and one for the agent, each narrowed by application and run.
 *
 * Never one for both: the platform keeps a memory under the user or under the agent, so that a filter
 * which asks for both matches none (https://docs.mem0.ai/platform/features/v2-memory-filters).
 *
 * @throws ConfigurationError when the open-source client cannot search it.
 */
export function searchLegs(scope: Mem0Scope, platform: boolean): readonly SearchLeg[] {
  const entities = (['userId', 'agentId'] as const).filter((part) => scope[part] !== undefined);
  const narrowing = (['appId', 'runId'] as const).filter((part) => scope[part] !== undefined);
  if (!platform) checkOpenSourceScope(scope);
  const filters = (parts: readonly ScopePart[]): Record<string, unknown> => {
    const conditions = parts.map((part) => ({ [scopeFields[part]]: scope[part] }));
    // The platform wants an operator at the root; the open-source client wants the ids there.
    return platform ? { AND: conditions } : Object.assign({}, ...conditions);
  };
  if (entities.length === 0) return [{ owner: 'session', filters: filters(narrowing) }];
  return entities.map((entity) => ({
    owner: entity === 'userId' ? 'user' : 'agent',
    filters: filters([entity, ...narrowing]),
  }));
}

/** @throws ConfigurationError when the open-source client can neither store nor search under a scope. */
export function checkOpenSourceScope({ userId, agentId, runId }: Mem0Scope): void {
  if (userId !== undefined || agentId !== undefined || runId !== undefined) return;
  throw new ConfigurationError(
    'The scope has an appId alone, and the open-source Memory of mem0ai needs a userId, an agentId or a runId beside it.',
    { packageName, field: 'appId' },
  );
}
