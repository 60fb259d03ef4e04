import type { NewHistoryRecord } from '@minne/core';

/** A question and its answer, in one group. */
export function turnOf(name: string): NewHistoryRecord[] {
  return (['user', 'assistant'] as const).map((kind) => ({
    v: 1,
    id: `${name}.${kind}`,
    group: name,
    kind,
    payload: JSON.stringify({ id: `${name}.${kind}`, text: `${name} `.repeat(50) }),
  }));
}
