import { expect, test } from 'vitest';
import { adminToken } from '../src/index.js';
import { startServer } from './test-server.js';

test.each([{ name: '' }, { name: undefined }, { name: null }, { name: 5 }, {}])(
  'whoever authenticate says is %j is refused, and shares no store with others like that',
  async (principal) => {
    const { call } = await startServer({
      authenticate: () => Object.assign({ name: '', isAdmin: true }, principal) as never,
    });
    for (const [method, path] of [
      ['POST', '/memory-stores?managed_memory_store_id=notes'],
      ['GET', '/memory-stores'],
    ] as const) {
      expect(await call(method, path)).toMatchObject({
        status: 401,
        body: { error_code: 'UNAUTHENTICATED' },
      });
    }
  },
);

test('the administrator has a name', () => {
  for (const name of ['', 'a\ud800', 'x'.repeat(257)]) {
    expect(() => adminToken('token', { name })).toThrow(/name must/);
  }
});
