import { type ChatMessage, isSystem, type ReduceResult } from '@minne/core';
import { expect } from 'vitest';
import { expectAccountedFor } from './accounting-laws.js';
import { expectGroups } from './group-laws.js';
import { isOnlyResults } from './message-kinds.js';

/**
 * Expects of a reduction what is true of every one: nothing made up, order kept, system messages there,
 * calls and results together, no empty history, a beginning that a model accepts, a result that accounts
 * for every message, and a report that counts them right.
 *
 * @throws AssertionError that names the law.
 */
export function expectLawful(before: readonly ChatMessage[], result: ReduceResult): void {
  expectAccountedFor(before, result);
  expectOrder(before, result.messages);
  expectSystemMessages(before, result.messages);
  expectGroups(before, result.messages);
  expectBeginning(before, result.messages);
}

function expectOrder(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const known = new Set(before.map(({ id }) => id));
  const ids = after.map(({ id }) => id).filter((id) => known.has(id));
  let at = 0;
  for (const { id } of before) if (id === ids[at]) at += 1;
  expect(at, `the order is kept, and nothing is there twice: ${ids.join(' ')}`).toBe(ids.length);
}

function expectSystemMessages(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  const left = after.filter(isSystem);
  const system = before.filter(isSystem);
  const same = left.length === system.length && left.every((it, index) => it === system[index]);
  if (same) return;
  expect(left, 'system messages stay as they are, and none is added').toEqual(system);
  expect.fail('system messages stay themselves, not as copies');
}

function expectBeginning(before: readonly ChatMessage[], after: readonly ChatMessage[]): void {
  if (before.every(isSystem)) return;
  const first = after.find((message) => !isSystem(message));
  expect(first, 'something other than system messages is left').toBeDefined();
  const hasOther = before.some((message) => !isSystem(message) && !isOnlyResults(message));
  if (first === undefined || !hasOther) return;
  expect(isOnlyResults(first), `it does not begin with tool results: ${first.id}`).toBe(false);
}
