import { setTimeout as sleep } from 'node:timers/promises';
import { serverMissing, startRedis } from '@minne/test-servers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { StoreError } from '../../packages/core/src/index.js';
import { type OpenBackend, openBackend } from './open-backend.js';
import { redisCommand } from './redis-command.js';
import { makeSmallDisk, smallDiskMissing } from './small-disk.js';
import {
  expectAgentKeepsItsAnswer,
  expectNothingHalf,
  expectRefusal,
  expectWorksAgain,
  fill,
} from './suites/refused-writes.js';
import { keyOf } from './suites/writing-processes.js';
import { turnOf, turnsIn } from './turn.js';
import { untilAcknowledged } from './until-acknowledged.js';

async function open(url: string): Promise<OpenBackend> {
  const backend = await openBackend('redis', url);
  onTestFinished(() => backend.close());
  return backend;
}

/** Redis looks once a second whether its file can be written again. */
async function whenTaken<T>(call: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      if (!StoreError.isInstance(error) || tries === 50) throw error;
    }
    await sleep(100);
  }
}

const options = { timeout: 60_000 };

describe.skipIf(serverMissing('redis') !== undefined)('history in Redis', options, () => {
  it('refuses what there is no memory for, and takes it when there is', async () => {
    const memory = ['--maxmemory', '8mb', '--maxmemory-policy', 'noeviction'];
    const { url, port, remove } = await startRedis({ values: memory });
    onTestFinished(remove);
    const backend = await open(url);
    const filled = await fill(backend, 'full');
    expectRefusal(filled.refusal, 'full', /memory/, true);
    // Far over it now, so that it depends on no last byte what is refused.
    await redisCommand(port, 'CONFIG SET maxmemory 4mb');
    await expectNothingHalf(backend, filled);
    await expectAgentKeepsItsAnswer(backend, async () => {
      await redisCommand(port, 'CONFIG SET maxmemory 100mb');
    });
    await expectWorksAgain(backend, filled);
  });

  it('forgets a session when there is no memory, which makes room for another', async () => {
    const memory = ['--maxmemory', '8mb', '--maxmemory-policy', 'noeviction'];
    const { url, remove } = await startRedis({ values: memory });
    onTestFinished(remove);
    const backend = await open(url);
    const { refused } = await fill(backend, 'full');
    await backend.clear(keyOf('full'));
    // Redis gives the memory back in its own time.
    await untilAcknowledged(() => backend.append(keyOf('next'), turnOf(refused)));
    expect(turnsIn(await backend.load(keyOf('next')))).toEqual([refused]);
  });

  it('says that the server is a replica that may only be read, and works when it no longer is', async () => {
    const { url, port, remove } = await startRedis();
    onTestFinished(remove);
    const backend = await open(url);
    await expectWorksAgain(backend, {
      sessionId: 's',
      names: [],
      refused: 'a.0',
      refusal: undefined,
    });
    await redisCommand(port, 'REPLICAOF 127.0.0.1 1');
    const filled = { ...(await fill(backend, 's')), names: ['a.0'] };
    expectRefusal(filled.refusal, 's', /read.?only/i, true);
    await expectNothingHalf(backend, filled);
    await redisCommand(port, 'REPLICAOF NO ONE');
    await expectWorksAgain(backend, filled);
  });

  describe.skipIf(smallDiskMissing() !== undefined)(
    'with its append-only file on a full disk',
    () => {
      it('refuses while the file cannot be written, and works when there is room', async () => {
        const disk = makeSmallDisk(2048);
        onTestFinished(disk.remove);
        const file = ['--appendonly', 'yes', '--appendfsync', 'everysec'];
        const { url, remove } = await startRedis({ directory: disk.path, values: file });
        onTestFinished(remove);
        const backend = await open(url);
        const filled = await fill(backend, 'full');
        expectRefusal(filled.refusal, 'full', /MISCONF|No space left/, true);
        await expectNothingHalf(backend, filled);
        disk.resize(65_536);
        const { duplicates } = await whenTaken(() =>
          backend.append(keyOf('full'), turnOf(filled.refused)),
        );
        expect(duplicates).toEqual([]);
        expect(turnsIn(await backend.load(keyOf('full')))).toEqual([
          ...filled.names,
          filled.refused,
        ]);
      });
    },
  );
});
