import { chownSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PostgresServer, serverMissing, startPostgres } from '@minne/test-servers';
import pg from 'pg';
import { afterAll, beforeAll, describe, it, onTestFinished } from 'vitest';
import { type OpenBackend, openBackend } from './open-backend.js';
import { makeSmallDisk, smallDiskMissing } from './small-disk.js';
import {
  expectAgentKeepsItsAnswer,
  expectNothingHalf,
  expectRefusal,
  expectWorksAgain,
  fill,
} from './suites/refused-writes.js';

const options = { timeout: 60_000 };

describe.skipIf(serverMissing('postgres') !== undefined)('history in PostgreSQL', options, () => {
  let server: PostgresServer;
  let administrator: pg.Client;
  beforeAll(async () => {
    server = await startPostgres();
    administrator = new pg.Client({ connectionString: server.url });
    await administrator.connect();
  }, 60_000);
  afterAll(async () => {
    await administrator.end();
    await server.remove();
  });

  async function open(database: string): Promise<OpenBackend> {
    const url = new URL(server.url);
    url.pathname = `/${database}`;
    const backend = await openBackend('postgres', url.href);
    onTestFinished(() => backend.close());
    return backend;
  }

  it.skipIf(smallDiskMissing() !== undefined)(
    'refuses what a full disk has no room for, and takes it when there is room',
    async () => {
      const disk = makeSmallDisk(12_000);
      onTestFinished(disk.remove);
      const { uid, gid } = statSync(server.directory);
      chownSync(disk.path, uid, gid);
      await administrator.query(`CREATE TABLESPACE small LOCATION '${disk.path}'`);
      await administrator.query('CREATE DATABASE small TABLESPACE small');
      onTestFinished(async () => {
        await administrator.query('DROP DATABASE small WITH (FORCE)');
        await administrator.query('DROP TABLESPACE small');
      });
      const backend = await open('small');
      const filled = await fill(backend, 'full');
      expectRefusal(filled.refusal, 'full', /space|room/, true);
      await expectNothingHalf(backend, filled);
      await expectAgentKeepsItsAnswer(backend, () => disk.resize(100_000));
      await expectWorksAgain(backend, filled);
    },
  );

  it('says that the server takes no writes, and works when it does again', async () => {
    const set = async (value: 'on' | 'off') => {
      await administrator.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await administrator.query('SELECT pg_reload_conf()');
      // Each server process hears of it by itself, between two statements.
      await sleep(200);
    };
    onTestFinished(() => set('off'));
    const backend = await open('postgres');
    await expectWorksAgain(backend, {
      sessionId: 's',
      names: [],
      refused: 'a.0',
      refusal: undefined,
    });
    await set('on');
    const filled = { ...(await fill(backend, 's')), names: ['a.0'] };
    expectRefusal(filled.refusal, 's', /read-only/, false);
    await expectNothingHalf(backend, filled);
    await expectAgentKeepsItsAnswer(backend, () => set('off'));
    await expectWorksAgain(backend, filled);
  });
});
