import { expect, it } from 'vitest';
import { localPrincipal } from '../src/index.js';
import { manualClock, testEngine } from './engine-fixture.js';

const day = 24 * 60 * 60 * 1000;

/** An engine with a store of 600 entries that was deleted a day ago. */
async function engineWithDeletedStore() {
  const clock = manualClock();
  const engine = testEngine({ clock, purgeAfter: day });
  const store = await engine.openStore('notes');
  for (let index = 0; index < 600; index++) {
    await store.put({ actorId: `actor${index % 3}`, path: `/${index}`, content: 'token' });
  }
  await engine.deleteStore(localPrincipal, 'notes');
  clock.advance(day);
  return engine;
}

it('a purge lets others have their turn', async () => {
  const engine = await engineWithDeletedStore();
  let turns = 0;
  const counting = setInterval(() => {
    turns += 1;
  }, 0);
  await engine.purge();
  clearInterval(counting);
  expect(turns).toBeGreaterThanOrEqual(3);
});

it('a purge stops when the caller does, and the next one goes on', async () => {
  const engine = await engineWithDeletedStore();
  const controller = new AbortController();
  const reason = new Error('The night is over.');
  const purging = engine.purge({ signal: controller.signal });
  setTimeout(() => controller.abort(reason), 0);
  await expect(purging).rejects.toBe(reason);
  const { removed } = await engine.purge();
  expect(removed).toBeGreaterThan(0);
  // 600 entries with a search record each, 3 actors and the store.
  expect(removed).toBeLessThan(1204);
});
