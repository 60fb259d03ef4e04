import type { SessionState } from '@minne/core';

/** How many ids of stored messages a session remembers. */
const rememberedIds = 200;

const member = 'stored';

/** The ids of the messages of this session that Mem0 has taken, oldest first. */
export function storedIds(state: SessionState): readonly string[] {
  const ids = state[member];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

/** Remembers further ids; beyond {@link rememberedIds} the oldest are forgotten. */
export function rememberStored(state: SessionState, ids: readonly string[]): void {
  state[member] = [...storedIds(state), ...ids].slice(-rememberedIds);
}
