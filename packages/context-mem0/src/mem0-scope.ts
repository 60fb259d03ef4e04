import { ConfigurationError, checkId, InvalidInputError, type RunContext } from '@minne/core';
import { packageName } from './package-name.js';

/** Whose memories are meant. At least one part; the names are Mem0's. */
export interface Mem0Scope {
  /** A person. What is stored under it is found for this person only. */
  readonly userId?: string;
  /** An agent. What is stored under it alone is found for everyone who talks to that agent. */
  readonly agentId?: string;
  /** An application or tenant: narrows each of the others. */
  readonly appId?: string;
  /** A conversation, such as `session.sessionId`: narrows each of the others. */
  readonly runId?: string;
}

/** What a scope can be made from. */
export type Mem0ScopeContext = Pick<RunContext, 'session' | 'agentName'>;

/** A scope for every run, or what makes the scope of a run. */
export type Mem0ScopeSource = Mem0Scope | ((context: Mem0ScopeContext) => Mem0Scope);

/** The parts of a scope and their names in Mem0's filters. */
export const scopeFields = {
  userId: 'user_id',
  agentId: 'agent_id',
  appId: 'app_id',
  runId: 'run_id',
} as const satisfies Record<keyof Mem0Scope, string>;

/** The name of a part of a scope. */
export type ScopePart = keyof typeof scopeFields;

export const scopeParts = Object.keys(scopeFields) as readonly ScopePart[];

/** A person's own memories: `userId` is the session's `actorId`. */
export function actorScope({ session }: Mem0ScopeContext): Mem0Scope {
  if (session.actorId === undefined) {
    throw new ConfigurationError(
      'The session has no actorId, so it is not known whose memories are meant. Give createSession an actorId, or the provider a storageScope and a searchScope.',
      { packageName, field: 'actorId', sessionId: session.sessionId },
    );
  }
  return { userId: session.actorId };
}

/** @throws ConfigurationError or InvalidInputError when a scope that is the same for every run cannot be one. */
export function checkScopeSource(source: Mem0ScopeSource | undefined, field: string): void {
  if (source !== undefined && typeof source !== 'function') checkScope(source, field);
}

/**
 * The scope of a run.
 * @throws ConfigurationError when it has no part, InvalidInputError when a part is no id that keeps its owner apart.
 */
export function resolveScope(
  source: Mem0ScopeSource,
  context: Mem0ScopeContext,
  field: string,
): Mem0Scope {
  const { sessionId } = context.session;
  return checkScope(typeof source === 'function' ? source(context) : source, field, sessionId);
}

function checkScope(scope: Mem0Scope, field: string, sessionId?: string): Mem0Scope {
  const origin = { packageName, ...(sessionId === undefined ? {} : { sessionId }) };
  const checked: { -readonly [Part in ScopePart]?: string } = {};
  // A program without types may give anything.
  const given: Readonly<Record<string, unknown>> = typeof scope === 'object' ? { ...scope } : {};
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(scopeFields, name));
  if (unknown !== undefined) {
    // Left unheeded, it would make the scope wider than it was meant to be.
    throw new ConfigurationError(
      `${field} has ${JSON.stringify(unknown)}, which is no part of a scope. Give ${scopeParts.join(', ')} only.`,
      { ...origin, field: `${field}.${unknown}` },
    );
  }
  for (const part of scopeParts) {
    const id = given[part];
    if (id === undefined) continue;
    checkId(id, `${field}.${part}`, origin);
    checkApart(id, `${field}.${part}`, origin);
    checked[part] = id;
  }
  if (Object.keys(checked).length === 0) {
    throw new ConfigurationError(
      `${field} names nobody, and memories must belong to somebody. Give it at least one of ${scopeParts.join(', ')}.`,
      { ...origin, field },
    );
  }
  return checked;
}

/**
 * Mem0 reads `*` in a filter as "anybody", and its open-source client cuts white space off ids, which
 * would put two people into one, and refuses it within.
 */
function checkApart(
  id: string,
  field: string,
  origin: { readonly packageName: string; readonly sessionId?: string },
): void {
  const problem =
    id === '*'
      ? 'is "*", which Mem0 takes for everybody'
      : /\s/u.test(id)
        ? `is ${JSON.stringify(id)}, and Mem0 takes no white space in ids`
        : undefined;
  if (problem === undefined) return;
  throw new InvalidInputError(`${field} ${problem}. Give it another id, such as an encoded one.`, {
    ...origin,
    field,
  });
}
