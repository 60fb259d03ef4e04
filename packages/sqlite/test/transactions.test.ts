import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { applicationDatabase, lock, openNotes, readAll, temporaryPath, write } from './notes.js';

describe('a write', () => {
  it('is made whole or not at all, and what it throws is passed on', async () => {
    const database = openNotes({ path: ':memory:' });
    const reason = new RangeError('halfway');
    const written = database.write({}, (transaction) => {
      transaction.statement('INSERT INTO notes (text) VALUES (?)').run('half');
      throw reason;
    });
    await expect(written).rejects.toBe(reason);
    await write(database, 'whole');
    expect(await readAll(database)).toEqual(['whole']);
  });

  it('sees what those before it wrote, in the order of the calls', async () => {
    const database = openNotes({ path: temporaryPath() });
    const texts = Array.from({ length: 20 }, (_, index) => `${index}`);
    await Promise.all(texts.map((text) => write(database, text)));
    expect(await readAll(database)).toEqual(texts);
  });

  it('in a reading transaction is taken back', async () => {
    const database = openNotes({ path: ':memory:' });
    await database.read({}, (transaction) => {
      transaction.statement("INSERT INTO notes (text) VALUES ('a')").run();
    });
    expect(await readAll(database)).toEqual([]);
  });

  it('of what SQLite refuses is an error that says so', async () => {
    const database = openNotes({ path: ':memory:' });
    const written = database.write({}, (transaction) => transaction.statement('SELECT missing'));
    await expect(written).rejects.toMatchObject({
      code: 'store_failed',
      message: expect.stringMatching(/no such column: missing/),
      cause: expect.objectContaining({ code: 'ERR_SQLITE_ERROR' }),
    });
  });
});

describe('another connection that is writing', () => {
  it('is waited for while the event loop runs', async () => {
    const path = temporaryPath();
    const database = openNotes({ path, busyTimeout: 10_000 });
    database.open();
    const other = lock(path);
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks === 20) other.exec('COMMIT');
    }, 2);
    await write(database, 'a');
    clearInterval(ticking);
    expect(ticks).toBeGreaterThanOrEqual(20);
  });

  it('does not keep others from reading', async () => {
    const path = temporaryPath();
    const database = openNotes({ path, busyTimeout: 0 });
    database.open();
    lock(path);
    expect(await readAll(database)).toEqual([]);
  });

  it('makes a retryable error when it takes longer than busyTimeout, also for the writes behind', async () => {
    const path = temporaryPath();
    const database = openNotes({ path, busyTimeout: 40 });
    database.open();
    const other = lock(path);
    const outcomes = await Promise.allSettled([write(database, 'a'), write(database, 'b')]);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: 'rejected',
        reason: {
          code: 'store_failed',
          retryable: true,
          sessionId: 'chat-7',
          message: expect.stringContaining('raise busyTimeout'),
        },
      });
    }
    other.exec('ROLLBACK');
    await write(database, 'c');
    expect(await readAll(database)).toEqual(['c']);
  });

  it('is waited for no longer than the signal allows, also by the writes behind, which keep their order', async () => {
    const path = temporaryPath();
    const database = openNotes({ path, busyTimeout: 10_000 });
    database.open();
    const other = lock(path);
    const [first, second] = [new AbortController(), new AbortController()];
    const reason = new Error('stopped by the caller');
    const writes = [
      write(database, 'first', first.signal),
      write(database, 'second', second.signal),
      write(database, 'third'),
    ] as const;
    second.abort(reason);
    await expect(writes[1]).rejects.toBe(reason);
    await delay(20);
    first.abort(reason);
    await expect(writes[0]).rejects.toBe(reason);
    other.exec('ROLLBACK');
    await writes[2];
    expect(await readAll(database)).toEqual(['third']);
    await expect(write(database, 'late', first.signal)).rejects.toBe(reason);
  });
});

describe('emptying the log', () => {
  it('leaves nothing of deleted text in the file or beside it', async () => {
    const path = temporaryPath();
    const database = openNotes({ path });
    const secret = 'a secret that nobody else may read';
    await write(database, secret);
    expect(readFileSync(`${path}-wal`, 'latin1')).toContain(secret);
    await database.write({}, (transaction) => transaction.statement('DELETE FROM notes').run());
    database.emptyLog();
    for (const suffix of ['', '-wal']) {
      expect(readFileSync(path + suffix, 'latin1')).not.toContain(secret);
    }
  });

  it('is left to a later write while another connection is in the way', async () => {
    const path = temporaryPath();
    const database = openNotes({ path });
    await write(database, 'a');
    const other = applicationDatabase(path);
    other.exec('BEGIN; SELECT * FROM notes');
    await write(database, 'b');
    database.emptyLog();
    await write(database, 'c');
    expect(readFileSync(`${path}-wal`).length).toBeGreaterThan(0);
    other.exec('ROLLBACK');
    await write(database, 'd');
    expect(readFileSync(`${path}-wal`).length).toBe(0);
    await write(database, 'e');
    expect(readFileSync(`${path}-wal`).length, 'it was asked for once').toBeGreaterThan(0);
  });
});

describe('closing', () => {
  it('waits for the writes that were begun, and takes no more calls', async () => {
    const path = temporaryPath();
    const database = openNotes({ path });
    const writes = [write(database, 'a'), write(database, 'b')];
    const closed = database.close();
    await expect(write(database, 'c')).rejects.toMatchObject({
      code: 'store_failed',
      message: 'The note store is closed. Open another one.',
    });
    await expect(readAll(database)).rejects.toThrow('closed');
    expect(() => database.open()).toThrow('closed');
    await Promise.all([...writes, closed]);
    await database.close();
    database.emptyLog();
    expect(await readAll(openNotes({ path }))).toEqual(['a', 'b']);
  });

  it('of what was never opened makes no file', async () => {
    const path = temporaryPath();
    await openNotes({ path }).close();
    expect(() => readFileSync(path)).toThrow('ENOENT');
  });
});
