import { encodeHistoryKey, type HistoryKey } from '@minne/core';
import { packageName } from './package-name.js';

/** The keys of a history in the order in which every script takes them, and the types of their values. */
const parts = [
  ['meta', 'hash'],
  ['records', 'zset'],
  ['ids', 'hash'],
  ['groups', 'zset'],
  ['members', 'zset'],
  ['removed', 'zset'],
] as const;

/** Names the keys that lie under one prefix. Injective: no two histories or actors share a key. */
export class HistoryKeys {
  readonly #prefix: string;

  /** @param prefix - Without braces. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** The name of a history in the index of its actor. @throws InvalidInputError for an illegal key. */
  nameOf(key: HistoryKey): string {
    return encodeHistoryKey(key, { packageName });
  }

  /** The keys of a history. What stands in braces is all that a Cluster chooses their slot by. */
  ofHistory(name: string): string[] {
    return parts.map(([part]) => `${this.#prefix}{${name}}:${part}`);
  }

  /** The key of the index of an actor. It has no braces, which every key of a history has. */
  ofActor(actorId: string): string {
    return `${this.#prefix}${this.nameOf({ sourceId: 'actor', sessionId: actorId })}`;
  }
}

/** The type that the value at a key must have. */
export function typeOfKey(key: string): string {
  return parts.find(([part]) => key.endsWith(`}:${part}`))?.[1] ?? 'zset';
}

/** The history that {@link HistoryKeys.nameOf} named. */
export function historyOf(name: string): Pick<HistoryKey, 'sessionId' | 'sourceId'> {
  // Both parts are escaped as in a URL, so that the first colon is the joint.
  const [sourceId = '', sessionId = ''] = name.split(':').map((part) => decodeURIComponent(part));
  return { sessionId, sourceId };
}
