import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { HistoryBackend } from '@minne/core';
import { afterAll, vi } from 'vitest';
import { type OpenHistoryOptions, testHistoryBackend } from '../src/history/index.js';

/** What the guide shows as a whole backend: its first snippet. */
const guide = join(import.meta.dirname, '../../../docs/guide/writing-a-history-backend.md');
const [, code = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(readFileSync(guide, 'utf8')) ?? [];

const folder = join(import.meta.dirname, '../.snippets', String(process.pid));
const file = join(folder, 'map-history-backend.ts');

type Options = OpenHistoryOptions & { readonly now: () => number };

interface Snippet {
  readonly MapHistoryBackend: new (options: Options) => HistoryBackend;
}

mkdirSync(folder, { recursive: true });
writeFileSync(file, code);
vi.spyOn(console, 'log').mockImplementation(() => {});
const { MapHistoryBackend }: Snippet = await import(file);

afterAll(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

testHistoryBackend({
  name: 'The backend of the guide',
  abilities: { replace: true, list: true, erase: true, trimming: true, expiry: true },
  create() {
    let now = Date.now();
    return {
      open: (options) => new MapHistoryBackend({ ...options, now: () => now }),
      advance: (milliseconds) => {
        now += milliseconds;
      },
    };
  },
});
