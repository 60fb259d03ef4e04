import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { NewHistoryRecord } from '@minne/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { historySql } from '../src/history-sql.js';
import { SqliteHistoryBackend, type SqliteHistoryBackendOptions } from '../src/index.js';
import { temporaryStore } from './temporary-store.js';

const key = { sessionId: 's', sourceId: 'history' };

describe('SqliteHistoryBackend', () => {
  it('gives back a payload with U+0000 whole', async () => {
    const { backend } = open();
    const payload = 'before\0after';
    await backend.append(key, [recordOf('m1', payload), recordOf('m2')]);
    const { records } = await backend.load(key);
    expect(records.map((record) => record.payload)).toEqual([payload, recordOf('m2').payload]);
  });

  it('gives back half a surrogate pair that JSON has escaped, and refuses a bare one', async () => {
    const { backend } = open();
    const payload = JSON.stringify({ text: 'a\ud83d' });
    await backend.append(key, [recordOf('m1', payload)]);
    const [record] = (await backend.load(key)).records;
    expect(JSON.parse(record?.payload ?? '')).toEqual({ text: 'a\ud83d' });
    await expect(backend.append(key, [recordOf('m2', 'a\ud83d')])).rejects.toMatchObject({
      code: 'invalid_input',
      field: 'records[0].payload',
      sessionId: 's',
    });
  });

  it('remembers the 10,000 newest ids of what it trimmed', async () => {
    const { backend } = open({ path: ':memory:', maxMessages: 1 });
    const ids = Array.from({ length: 10_003 }, (_, index) => `m${index + 1}`);
    await backend.append(
      key,
      ids.map((id) => recordOf(id)),
    );
    const { records, knownIds } = await backend.load(key, { ids: ['m1', 'm2', 'm3', 'm10003'] });
    expect(records.map(({ id }) => id)).toEqual(['m10003']);
    expect(knownIds).toEqual(['m3', 'm10003']);
  });

  it('says what is wrong with a replacement before it looks at the version', async () => {
    const { backend } = open();
    await backend.append(key, [recordOf('m1')]);
    const replaced = backend.replace(key, [recordOf('m2'), recordOf('m2')], { version: '0' });
    await expect(replaced).rejects.toMatchObject({ code: 'invalid_input', field: 'records[1].id' });
  });

  it('reads what lies beside a damaged page of the file', async () => {
    const { backend, path, options } = open();
    const long = 'x'.repeat(20_000);
    await backend.append(key, [recordOf('m1'), recordOf('m2', long), recordOf('m3')]);
    await backend.close();
    breakOverflowChain(path, long);
    const damaged = reopen(options);
    const loaded = await damaged.load(key, { ids: ['m2'] });
    expect(loaded.records.map(({ id }) => id)).toEqual(['m1', 'm3']);
    expect(loaded.damaged).toEqual([
      { sequence: 2, reason: expect.stringContaining('page of the file') },
    ]);
    expect(loaded.knownIds).toEqual(['m2']);
    await damaged.append(key, [recordOf('m4')]);
    const newest = await damaged.load(key, { limit: 2 });
    expect(newest.records.map(({ id }) => id)).toEqual(['m3', 'm4']);
    expect(newest.damaged).toEqual([]);
  });

  it('leaves no word of a cleared history in the file', async () => {
    const { backend, path } = open();
    await backend.append(key, [recordOf('m1', 'the rusty key is under the blue pot'.repeat(200))]);
    await backend.append({ ...key, sessionId: 'other' }, [recordOf('m1', 'nothing of note')]);
    await backend.clear(key);
    expect(statSync(`${path}-wal`).size, 'the log is empty').toBe(0);
    await backend.close();
    const bytes = readFileSync(path);
    expect(bytes.includes('rusty key')).toBe(false);
    expect(bytes.includes('nothing of note')).toBe(true);
  });

  it('erases every history of an actor and of no other, and says how many', async () => {
    const { backend, path } = open();
    for (const [sessionId, actorId] of [
      ['s1', 'kim'],
      ['s2', 'kim'],
      ['s3', 'kim_'],
    ] as const) {
      await backend.append({ ...key, sessionId, actorId }, [
        recordOf('m1', `words of ${actorId}.`),
      ]);
    }
    const before = await backend.load({ ...key, sessionId: 's1' });
    expect(await backend.eraseActor('kim')).toBe(2);
    expect(await backend.eraseActor('kim')).toBe(0);
    const s1 = await backend.load({ ...key, sessionId: 's1' }, { ids: ['m1'] });
    expect(s1).toEqual({ records: [], knownIds: [], damaged: [], version: '0' });
    expect((await backend.load({ ...key, sessionId: 's3' })).records.length).toBe(1);
    const again = await backend.append({ ...key, sessionId: 's1' }, [recordOf('m1')]);
    expect(Number(again.version)).toBeGreaterThan(Number(before.version));
    await expect(backend.eraseActor('')).rejects.toMatchObject({ code: 'invalid_input' });
    await backend.close();
    expect(readFileSync(path).includes('words of kim.')).toBe(false);
  });

  it('tells when a history was written, by the clock it was given', async () => {
    const clock = () => new Date('2026-05-01T10:00:00.000Z');
    const { backend } = open({ clock });
    for (const sessionId of ['s1', 's2', 's1']) {
      const { records } = await backend.load({ ...key, sessionId });
      const id = `m${records.length}`;
      await backend.append({ ...key, sessionId, actorId: 'kim' }, [recordOf(id)]);
    }
    const listings = await Array.fromAsync(backend.list({ actorId: 'kim' }));
    expect(listings.map((listing) => [listing.key.sessionId, listing.updatedAt])).toEqual([
      ['s1', '2026-05-01T10:00:00.000Z'],
      ['s2', '2026-05-01T10:00:00.000Z'],
    ]);
  });

  it('finds everything by an index, so that other sessions cost nothing', () => {
    const { path } = open();
    const database = new DatabaseSync(path);
    onTestFinished(() => database.close());
    for (const [name, sql] of Object.entries(historySql)) {
      const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
      const steps = plan.map((step) => String(step['detail']));
      expect(
        steps.filter((step) => /^SCAN|TEMP B-TREE/.test(step)),
        name,
      ).toEqual([]);
    }
  });
});

describe('another connection that writes', () => {
  it('is waited for, while the event loop stays free', async () => {
    const { backend, path } = open();
    const other = lock(path);
    const appending = backend.append(key, [recordOf('m1')]);
    const reading = await backend.load(key);
    expect(reading.records, 'readers do not wait').toEqual([]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    other.exec('COMMIT');
    await appending;
    expect((await backend.load(key)).records.length).toBe(1);
  });

  it('makes a retryable error when it takes longer than busyTimeout, also for writes behind', async () => {
    const { backend, path } = open({ busyTimeout: 20 });
    const other = lock(path);
    const begun = performance.now();
    const outcomes = await Promise.allSettled(
      ['m1', 'm2', 'm3'].map((id) => backend.append(key, [recordOf(id)])),
    );
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: { code: 'store_failed', retryable: true, sessionId: 's' },
      });
    }
    expect(performance.now() - begun).toBeLessThan(5_000);
    other.exec('ROLLBACK');
    await backend.append(key, [recordOf('m1')]);
    expect((await backend.load(key)).records.length).toBe(1);
  });

  it('is no longer waited for when the signal aborts, and nothing is written', async () => {
    const { backend, path } = open();
    const other = lock(path);
    const controller = new AbortController();
    const reason = new Error('stopped by the caller');
    const appending = backend.append(key, [recordOf('m1')], { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 15);
    await expect(appending).rejects.toBe(reason);
    other.exec('COMMIT');
    expect((await backend.load(key)).records).toEqual([]);
  });
});

describe('closing', () => {
  it('lets the writes through that were begun, and refuses later calls', async () => {
    const { backend, options } = open();
    const appending = backend.append(key, [recordOf('m1')]);
    await Promise.all([backend.close(), backend.close()]);
    await appending;
    await expect(backend.append(key, [recordOf('m2')])).rejects.toThrow(/closed/);
    expect((await reopen(options).load(key)).records.length).toBe(1);
  });
});

interface Opened {
  readonly backend: SqliteHistoryBackend;
  readonly path: string;
  readonly options: SqliteHistoryBackendOptions;
}

function open(
  given: Omit<SqliteHistoryBackendOptions, 'path' | 'database'> & { readonly path?: string } = {},
): Opened {
  const { path, remove } = temporaryStore();
  onTestFinished(remove);
  const options = { path, ...given };
  return { backend: reopen(options), path, options };
}

function reopen(options: SqliteHistoryBackendOptions): SqliteHistoryBackend {
  const backend = new SqliteHistoryBackend(options);
  onTestFinished(() => backend.close());
  return backend;
}

/** A connection that holds the right to write. */
function lock(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  database.exec('BEGIN IMMEDIATE');
  return database;
}

function recordOf(id: string, payload = JSON.stringify({ id })): NewHistoryRecord {
  return { v: 1, id, group: id, kind: 'user', payload };
}

/** Makes a page that holds a part of a long text lead on to a page that does not exist. */
function breakOverflowChain(path: string, text: string): void {
  const pageSize = 4096;
  const bytes = readFileSync(path);
  // A page of the chain is the number of the next one and text: https://www.sqlite.org/fileformat2.html#ovflpgs
  const page = bytes.indexOf(text.slice(0, pageSize - 4)) - 4;
  expect(page % pageSize, 'it is the beginning of a page').toBe(0);
  bytes.writeUInt32BE(0xfffffff0, page);
  writeFileSync(path, bytes);
}
