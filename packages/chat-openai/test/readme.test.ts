import { readFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import { apiKey, startWire } from './wire-fixture.js';

test('the example in the README remembers', async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8');
  expect(await read('../README.md')).toContain(await read('./readme-example.ts'));
  await using server = await startWire({
    fallback: (request) => ({ text: JSON.stringify(request.body).includes('Kim') ? 'Kim.' : '?' }),
  });
  vi.stubEnv('OPENAI_API_KEY', apiKey);
  vi.stubEnv('OPENAI_BASE_URL', server.baseUrl);
  const log = vi.spyOn(console, 'log').mockReturnValue();
  try {
    await import('./readme-example.js');
    expect(log.mock.calls).toEqual([['Kim.']]);
  } finally {
    log.mockRestore();
    vi.unstubAllEnvs();
  }
});
