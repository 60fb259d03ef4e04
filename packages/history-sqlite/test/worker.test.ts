import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  ConfigurationError,
  ConflictError,
  InvalidInputError,
  type NewHistoryRecord,
  StoreError,
} from '@minne/core';
import { startProcess } from '@minne/store-process';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  SqliteHistoryBackend,
  type SqliteHistoryBackendOptions,
  SqliteHistoryProvider,
} from '../src/index.js';
import { movableClock } from './movable-clock.js';
import { turnOf } from './processes/turn.js';
import { temporaryStore } from './temporary-store.js';
import { extraArguments, startedThreads } from './worker-on-sources.js';

const key = { sessionId: 's', sourceId: 'history', actorId: 'kim' };

// A thread takes a second or more to start on sources while other tests run.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

afterEach(() => {
  startedThreads.length = 0;
  extraArguments.length = 0;
});

describe('a worker', () => {
  it('leaves the event loop free while a long history is read, which takes it up otherwise', async () => {
    const { backend, path } = open();
    await backend.append(key, turnsOf(5000));
    const inThread = reopen({ path, worker: false });
    for (const [read, least, most] of [
      [backend, 15, Number.POSITIVE_INFINITY],
      [inThread, 0, 0],
    ] as const) {
      let turns = 0;
      let isReading = true;
      const count = () => {
        turns += 1;
        if (isReading) setImmediate(count);
      };
      const loading = read.load(key);
      setImmediate(count);
      const { records } = await loading;
      isReading = false;
      expect(records.length).toBe(10_000);
      expect(records.at(-1)?.id).toBe('turn4999.assistant');
      expect(records.map(({ sequence }) => sequence)).toEqual(records.map((_, index) => index + 1));
      expect(turns).toBeGreaterThanOrEqual(least);
      expect(turns).toBeLessThanOrEqual(most);
    }
  });

  it('answers short calls while it sends a long history', async () => {
    const { backend } = open();
    await backend.append(key, turnsOf(5000));
    const order: string[] = [];
    await Promise.all([
      backend.load(key).then(() => order.push('long')),
      backend.load(key, { limit: 1 }).then(() => order.push('short')),
    ]);
    expect(order).toEqual(['short', 'long']);
  });

  it('carries messages of megabytes, and text of every kind, unchanged', async () => {
    const { backend } = open();
    const payloads = ['a\0b', JSON.stringify('\ud83d'), 'åäö🙂'.repeat(1_000_000), '', '{}'];
    await backend.append(
      key,
      payloads.map((payload, index) => ({ ...recordOf(`m${index}`), payload })),
    );
    const { records } = await backend.load(key);
    expect(records.every(({ payload }, index) => payload === payloads[index])).toBe(true);
    expect(records.length).toBe(payloads.length);
  });

  it('runs writes in the order of the calls, hundreds at once', async () => {
    const { backend } = open({ path: ':memory:' });
    const names = Array.from({ length: 300 }, (_, index) => `t${index}`);
    await Promise.all(names.map((name) => backend.append(key, turnOf(name))));
    const { records } = await backend.load(key);
    expect(records.map(({ group }) => group)).toEqual(names.flatMap((name) => [name, name]));
    expect(startedThreads.length).toBe(1);
  });

  it('takes no more calls than it may, and says so', async () => {
    const { backend } = open({ path: ':memory:' });
    const calls = Array.from({ length: 10_100 }, () => backend.append(key, []));
    const outcomes = await Promise.allSettled(calls);
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBe(calls.length - 10_000 - 64);
    expect(refused[0]).toMatchObject({
      reason: {
        code: 'store_failed',
        retryable: true,
        message: expect.stringContaining('waiting'),
      },
    });
    await backend.append(key, turnOf('t'));
  });

  it('goes by the clock of the backend', async () => {
    const { clock, advance } = movableClock();
    const { backend } = open({ clock, ttl: 1000 });
    await backend.append(key, turnOf('t'));
    const [listing] = await Array.fromAsync(backend.list({ actorId: 'kim' }));
    expect(listing?.updatedAt).toBe('2026-05-01T12:00:00.000Z');
    advance(1000);
    expect((await backend.load(key)).records).toEqual([]);
    expect(await backend.purgeExpired()).toBe(1);
  });

  it('is what a provider uses that is told to', async () => {
    const { path, remove } = temporaryStore();
    onTestFinished(remove);
    const provider = new SqliteHistoryProvider({ path, worker: true });
    await provider.backend.append(key, turnOf('t'));
    await provider.close();
    expect(startedThreads.length).toBe(1);
  });
});

describe('errors in a worker', () => {
  it('come back as the same classes, with all that they tell', async () => {
    const { backend } = open();
    await backend.append(key, turnOf('t'));
    const conflict = await errorOf(backend.replace(key, [], { version: '9' }));
    expect(conflict).toBeInstanceOf(ConflictError);
    expect(conflict).toMatchObject({
      name: 'ConflictError',
      code: 'conflict',
      field: 'version',
      sessionId: 's',
      packageName: '@minne/history-sqlite',
      retryable: false,
      message: expect.stringContaining('is at version 1, not 9'),
    });
    const { version } = await backend.load(key);
    const twice = [recordOf('m1'), recordOf('m1')];
    const invalid = await errorOf(backend.replace(key, twice, { version }));
    expect(invalid).toBeInstanceOf(InvalidInputError);
    expect(invalid).toMatchObject({ field: 'records[1].id', sessionId: 's' });
  });

  it('tell of another connection that is writing, and of what SQLite said', async () => {
    const { backend, path } = open({ busyTimeout: 20 });
    await backend.append(key, turnOf('t'));
    const writer = lock(path);
    const busy = await errorOf(backend.append(key, turnOf('u')));
    expect(busy).toBeInstanceOf(StoreError);
    expect(busy).toMatchObject({
      retryable: true,
      sessionId: 's',
      cause: { errcode: 5, code: 'ERR_SQLITE_ERROR', message: 'database is locked' },
    });
    writer.exec('ROLLBACK');
    await backend.append(key, turnOf('u'));
  });

  it('of the file come with the first call, and go when the file is as it should be', async () => {
    const { folder, remove } = temporaryStore();
    onTestFinished(remove);
    const path = join(folder, 'sub', 'history.db');
    writeFileSync(join(folder, 'sub'), 'in the way');
    const backend = reopen({ path });
    for (let attempt = 0; attempt < 2; attempt++) {
      const error = await errorOf(backend.append(key, turnOf('t')));
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(error).toMatchObject({ field: 'path', cause: { syscall: expect.any(String) } });
    }
    const text = join(folder, 'text.db');
    writeFileSync(text, 'This is a text file, and a long one, that nobody meant to be a database.');
    await expect(reopen({ path: text }).load(key)).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringContaining('no SQLite database'),
    });
    mkdirSync(join(folder, 'other'));
    const later = reopen({ path: join(folder, 'other', 'history.db') });
    await later.append(key, turnOf('t'));
  });

  it('of options are told at once, and nothing is started', () => {
    const database = new DatabaseSync(':memory:');
    onTestFinished(() => database.close());
    const wrong: readonly (readonly [options: object, field: string])[] = [
      [{ database }, 'worker'],
      [{}, 'path'],
      [{ path: '' }, 'path'],
      [{ path: ':memory:', database }, 'path'],
      [{ path: ':memory:', busyTimeout: -1 }, 'busyTimeout'],
      [{ path: ':memory:', maxMessages: 0 }, 'maxMessages'],
      [{ path: ':memory:', ttl: 0 }, 'ttl'],
    ];
    for (const [options, field] of wrong) {
      const make = () => Reflect.construct(SqliteHistoryBackend, [{ ...options, worker: true }]);
      expect(make).toThrow(expect.objectContaining({ code: 'configuration', field }));
    }
    expect(startedThreads).toEqual([]);
  });
});

describe('a signal', () => {
  it('ends a call at once that waits for another connection, which then writes nothing', async () => {
    const { backend, path } = open();
    await backend.append(key, turnOf('t'));
    const writer = lock(path);
    const controller = new AbortController();
    const reason = new Error('stopped by the caller');
    const appending = backend.append(key, turnOf('u'), { signal: controller.signal });
    const behind = backend.append(key, turnOf('v'));
    setTimeout(() => controller.abort(reason), 50);
    await expect(appending).rejects.toBe(reason);
    writer.exec('ROLLBACK');
    await behind;
    const { records } = await backend.load(key);
    expect(records.map(({ group }) => group)).toEqual(['t', 't', 'v', 'v']);
    const late = backend.append(key, turnOf('w'), { signal: controller.signal });
    await expect(late).rejects.toBe(reason);
  });

  it('takes back a call that has not been sent, and frees a long load half sent', async () => {
    const { backend } = open({ path: ':memory:' });
    await backend.append(key, turnsOf(1000));
    const [first, second] = [new AbortController(), new AbortController()];
    const reason = new Error('stopped by the caller');
    const loads = Array.from({ length: 64 }, () => backend.load(key, { signal: first.signal }));
    const waiting = backend.append(key, turnOf('u'), { signal: second.signal });
    second.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await loads[0];
    first.abort(reason);
    const outcomes = await Promise.allSettled(loads);
    expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    const known = await backend.load(key, { limit: 1, ids: ['u.user'] });
    expect(known.knownIds).toEqual([]);
  });
});

describe('a thread that ends by a fault', () => {
  it('rejects what was under way with a retryable error, and the next call starts another', async () => {
    const { backend, path } = open();
    await backend.append(key, turnOf('t'));
    const writer = lock(path);
    const calls = Array.from({ length: 100 }, (_, index) =>
      backend.append(key, turnOf(`u${index}`)),
    );
    const erasing = backend.eraseActor('kim');
    await startedThreads[0]?.terminate();
    for (const outcome of await Promise.allSettled([...calls, erasing])) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: {
          name: 'StoreError',
          code: 'store_failed',
          retryable: true,
          packageName: '@minne/history-sqlite',
          message: expect.stringContaining('lost its worker thread'),
        },
      });
    }
    await expect(calls[0]).rejects.toMatchObject({ sessionId: 's' });
    writer.exec('ROLLBACK');
    await backend.append(key, turnOf('u'));
    expect((await backend.load(key)).records.map(({ group }) => group)).toEqual([
      't',
      't',
      'u',
      'u',
    ]);
    expect(startedThreads.length).toBe(2);
  });

  it('tells what ended it when it could not start', async () => {
    const { backend } = open();
    extraArguments.push('--import=data:text/javascript,throw new Error("no thread today")');
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(backend.load(key)).rejects.toMatchObject({
        retryable: true,
        cause: { message: 'no thread today' },
      });
    }
    extraArguments.length = 0;
    expect((await backend.load(key)).records).toEqual([]);
  });

  it('in the middle of closing leaves nobody waiting', async () => {
    const { backend, path } = open();
    await backend.append(key, turnOf('t'));
    lock(path);
    const appending = backend.append(key, turnOf('u'));
    const closing = backend.close();
    await startedThreads[0]?.terminate();
    await expect(appending).rejects.toMatchObject({ retryable: true });
    await closing;
  });
});

describe('closing a worker', () => {
  it('lets through what was begun, refuses later calls, and ends the thread', async () => {
    const { backend, path } = open();
    const calls = Array.from({ length: 200 }, (_, index) =>
      backend.append(key, turnOf(`t${index}`)),
    );
    const closing = [backend.close(), backend.close()];
    const refused = { code: 'store_failed', retryable: false, message: /closed/ };
    await expect(backend.append(key, turnOf('u'))).rejects.toMatchObject({
      ...refused,
      message: expect.stringMatching(refused.message),
    });
    await Promise.all([...calls, ...closing]);
    expect(startedThreads[0]?.threadId, 'of a thread that has ended').toBe(-1);
    const { records } = await reopen({ path, worker: false }).load(key);
    expect(records.length).toBe(400);
  });

  it('of what was never used starts nothing', async () => {
    await open().backend.close();
    expect(startedThreads).toEqual([]);
  });

  it('may be left out: an idle thread does not keep the process alive', async () => {
    const { path, remove } = temporaryStore();
    onTestFinished(remove);
    const script = new URL('processes/idle-worker.ts', import.meta.url);
    const child = startProcess(script, path);
    expect(await child.ended()).toEqual({ code: 0, complaint: '' });
    expect(child.lines()).toEqual(['1']);
    expect((await reopen({ path, worker: false }).load(key)).records.length).toBe(2);
  }, 30_000);
});

function open(
  given: Omit<SqliteHistoryBackendOptions, 'path' | 'database'> & { path?: string } = {},
) {
  const { path, remove } = temporaryStore();
  onTestFinished(remove);
  return { backend: reopen({ path, ...given }), path };
}

function reopen(
  options: Omit<SqliteHistoryBackendOptions, 'path' | 'database'> & { path: string },
) {
  const backend = new SqliteHistoryBackend({ worker: true, ...options });
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

async function errorOf(call: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([call]);
  return outcome?.status === 'rejected' ? outcome.reason : expect.fail('It was accepted.');
}

function turnsOf(count: number): NewHistoryRecord[] {
  return Array.from({ length: count }, (_, index) => turnOf(`turn${index}`)).flat();
}

function recordOf(id: string): NewHistoryRecord {
  return { v: 1, id, group: id, kind: 'user', payload: JSON.stringify({ id }) };
}
