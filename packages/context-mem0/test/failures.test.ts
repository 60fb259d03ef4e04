import { AfterRunError, type MinneError, StoreError } from '@minne/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Mem0Client } from '../src/index.js';
import { apiKey, createPlatformWorld } from './support/platform-world.js';

const unhandled: unknown[] = [];
const remember = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => {
  process.on('unhandledRejection', remember);
});

afterEach(() => {
  process.off('unhandledRejection', remember);
  expect(unhandled.splice(0)).toEqual([]);
});

describe('a service that fails', () => {
  it('is reported, and the run goes on', async () => {
    await using world = await createPlatformWorld();
    world.wire.fail('/v3/', { status: 503, body: { detail: 'Down for maintenance' } });
    expect(await world.ask('kim', 'One')).toEqual(['One']);
    expect(world.warnings).toEqual([
      {
        code: 'mem0_search_failed',
        message: expect.stringMatching(/status 503.*maintenance/),
        sourceId: 'mem0',
      },
      {
        code: 'mem0_store_failed',
        message: expect.stringMatching(/status 503.*maintenance/),
        sourceId: 'mem0',
      },
    ]);
  });

  it('fails the run where it is told to, before the model is asked or with the finished answer', async () => {
    await using world = await createPlatformWorld({ onError: 'throw' });
    world.wire.fail('search', { status: 401, body: { detail: 'No' } });
    const failure = await world.ask('kim', 'One').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'store_failed', retryable: false });
    expect(world.model.requests).toEqual([]);
    world.wire.fail('search', undefined);
    world.wire.fail('add', { status: 429, body: { detail: 'Slow down' } });
    const late = await world.ask('kim', 'One').catch((error: unknown) => error);
    expect(AfterRunError.isInstance(late) && late.response.text).toBe('Very well.');
    expect((late as { readonly cause?: unknown }).cause).toMatchObject({ retryable: true });
  });

  it('gives what one search finds when the other fails', async () => {
    const client: Mem0Client = {
      add: async () => ({}),
      search: async (_, { filters }) => {
        if ('agent_id' in filters) throw new Error('The agents are away.');
        return { results: [{ id: '1', memory: 'Kim likes rain', score: 0.5, user_id: 'kim' }] };
      },
    };
    await using world = await createPlatformWorld({
      client,
      storageScope: { userId: 'kim', agentId: 'a' },
    });
    expect((await world.ask('kim', 'One')).join('\n')).toContain('Kim likes rain');
    expect(world.warnings.map(({ message }) => message)).toEqual([
      'Mem0 failed to search: The agents are away.',
    ]);
  });

  it('is waited for no longer than allowed', async () => {
    await using world = await createPlatformWorld({ timeout: 50 });
    world.wire.fail('/v3/', 'stall');
    expect(await world.ask('kim', 'One')).toEqual(['One']);
    expect(world.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('a search within 50 ms'),
      expect.stringContaining('an addition within 50 ms'),
    ]);
  });

  it('does not surface when it fails after it was given up', async () => {
    let fail = (_: Error): void => {};
    const late = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const client: Mem0Client = { add: async () => ({}), search: () => late };
    await using world = await createPlatformWorld({ client, timeout: 20 });
    await world.ask('kim', 'One');
    fail(new Error('too late'));
    await vi.waitFor(() => expect(world.warnings).toHaveLength(1));
    // Node tells of an unhandled rejection after the microtasks of the turn.
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(unhandled).toEqual([]);
  });

  it('is asked no more once the run is aborted, whose reason is thrown', async () => {
    await using world = await createPlatformWorld();
    world.wire.fail('search', 'stall');
    const reason = new Error('stopped');
    const controller = new AbortController();
    const running = world.agent.run('One', {
      session: world.session('kim'),
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(reason), 50);
    await expect(running).rejects.toBe(reason);
    expect(world.model.requests).toEqual([]);
  });

  it('is tried anew by the next run when its client could not be made', async () => {
    let tries = 0;
    const client: Mem0Client = { add: async () => ({}), search: async () => ({ results: [] }) };
    await using world = await createPlatformWorld({
      storeInputs: false,
      storeOutputs: false,
      client: async () => {
        tries += 1;
        if (tries === 1) throw new Error('no network yet');
        return client;
      },
    });
    for (const input of ['One', 'Two', 'Three']) await world.ask('kim', input);
    expect(tries).toBe(2);
    expect(world.warnings.map(({ message }) => message)).toEqual([
      'Mem0 failed to start: no network yet',
    ]);
  });
});

describe('an error', () => {
  it.each([
    `You sent Token ${apiKey}, which is not valid`,
    `Incorrect API key provided: sk-abcd1234efgh`,
    `The key m0-9f8e7d6c has expired`,
    `{"authorization":"Bearer abc.def.123456"}`,
    `connect failed to https://kim:hunter22@mem0.example.com/v3`,
    `${'x'.repeat(485)} ${apiKey}`,
  ])('shows no credential: %s', async (detail) => {
    await using world = await createPlatformWorld({ onError: 'throw' });
    world.wire.fail('search', { status: 400, body: { detail } });
    const failure = (await world.ask('kim', 'One').catch((error: unknown) => error)) as MinneError;
    expect(StoreError.isInstance(failure)).toBe(true);
    const shown = [
      failure.message,
      JSON.stringify(failure),
      String(failure.stack),
      String(failure.cause),
    ].join();
    expect(shown).not.toMatch(/hush|m0-9f8e|abcd1234|abc\.def|hunter22/);
  });

  it('is bounded, and made of whatever is thrown', async () => {
    const thrown: unknown[] = [
      'x'.repeat(100_000),
      null,
      undefined,
      {
        toString: () => {
          throw new Error('no');
        },
      },
      7,
    ];
    for (const value of thrown) {
      const client: Mem0Client = { add: async () => ({}), search: () => Promise.reject(value) };
      await using world = await createPlatformWorld({ client });
      await world.ask('kim', 'One');
      expect(world.warnings).toHaveLength(1);
      expect(world.warnings[0]?.message.length).toBeLessThan(600);
    }
  });
});
