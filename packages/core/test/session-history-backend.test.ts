import { describe, expect, it } from 'vitest';
import { type NewHistoryRecord, SessionHistoryBackend, type SessionState } from '../src/index.js';
import fixture from './fixtures/session-history-1.json' with { type: 'json' };

const key = { sessionId: 's', sourceId: 'in_memory' };

describe('history in the session', () => {
  it('is plain JSON that another backend goes on with', async () => {
    const state: SessionState = {};
    await append(state, 'm1', 'm2');
    const resumed = copyOf(state);
    const result = await new SessionHistoryBackend().append(key, recordsOf('m2', 'm3'), {
      state: resumed,
    });
    expect(result.duplicates).toEqual(['m2']);
    expect(await idsIn(resumed)).toEqual(['m1', 'm2', 'm3']);
    expect(await idsIn(state), 'the first session is as it was').toEqual(['m1', 'm2']);
  });

  it('of layout 1 is read and gone on with', async () => {
    const state = copyOf(fixture as SessionState);
    const backend = new SessionHistoryBackend();
    const loaded = await backend.load(key, { state, ids: ['m1', 'm2'] });
    expect(loaded).toEqual({
      version: '4',
      knownIds: ['m1', 'm2'],
      damaged: [],
      records: [
        { v: 1, sequence: 2, id: 'm2', group: 'm2', kind: 'user', payload: '{"id":"m2"}' },
        { v: 1, sequence: 3, id: 'm3', group: 'm3', kind: 'assistant', payload: '{"id":"m3"}' },
      ],
    });
    await backend.append(key, recordsOf('m1', 'm4'), { state });
    expect((await backend.load(key, { state })).records.at(-1)).toMatchObject({
      id: 'm4',
      sequence: 4,
    });
  });

  it('leaves other members of the slot alone', async () => {
    const state: SessionState = { cursor: 'mine' };
    await append(state, 'm1');
    await new SessionHistoryBackend().clear(key, { state });
    expect(state['cursor']).toBe('mine');
  });

  it('needs the slot of the session, in every call', async () => {
    const backend = new SessionHistoryBackend();
    const calls = [
      () => backend.append(key, recordsOf('m1')),
      () => backend.load(key),
      () => backend.clear(key),
      () => backend.replace(key, [], { version: '0' }),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({
        code: 'invalid_input',
        field: 'options.state',
        sessionId: 's',
        message: expect.stringContaining('session.state'),
      });
    }
  });

  it.each([
    [
      { v: 2, version: 1, lastSequence: 1, pages: [], removedIds: [] },
      'state.history.v',
      /layout 2/,
    ],
    [
      { v: 1, version: 1, lastSequence: 1, pages: 'gone', removedIds: [] },
      'state.history',
      /Restore/,
    ],
    [{ v: 1, version: -1, lastSequence: 1, pages: [], removedIds: [] }, 'state.history', /Restore/],
    [{ v: 1, pages: [], removedIds: [] }, 'state.history', /Restore/],
    [['m1'], 'state.history', /Restore/],
    ['text', 'state.history', /Restore/],
    [null, 'state.history', /Restore/],
  ])('is refused and left alone when it is %j', async (history, field, text) => {
    const state: SessionState = { history };
    await expect(append(state, 'm1')).rejects.toMatchObject({ code: 'invalid_input', field });
    await expect(append(state, 'm1')).rejects.toThrow(text);
    expect(state).toEqual({ history });
  });
});

describe('a session that was edited by hand', () => {
  it('is read as it then is, whatever was edited', async () => {
    const backend = new SessionHistoryBackend();
    const state: SessionState = {};
    await backend.append(key, recordsOf('m1', 'm2', 'm3'), { state });
    const edited = JSON.stringify(state['history']).replace('"id":"m2"', '"id":"x2"');
    state['history'] = JSON.parse(edited);
    const result = await backend.append(key, recordsOf('m2', 'x2'), { state });
    expect(result.duplicates).toEqual(['x2']);
    expect(await idsIn(state)).toEqual(['m1', 'x2', 'm3', 'm2']);
  });

  it('that was put back to an earlier history forgets what came after', async () => {
    const backend = new SessionHistoryBackend();
    const state: SessionState = {};
    await backend.append(key, recordsOf('m1'), { state });
    const earlier = state['history'] ?? null;
    await backend.append(key, recordsOf('m2'), { state });
    state['history'] = earlier;
    const result = await backend.append(key, recordsOf('m1', 'm2', 'm3'), { state });
    expect(result.duplicates).toEqual(['m1']);
    expect(await idsIn(state)).toEqual(['m1', 'm2', 'm3']);
  });

  it('cannot be edited in place where it would go unseen', async () => {
    const state: SessionState = {};
    await append(state, 'm1');
    const history = state['history'] as { pages: { id: string }[][] };
    expect(() => history.pages.push([])).toThrow(TypeError);
    expect(() => history.pages[0]?.pop()).toThrow(TypeError);
    expect(() => Object.assign(history.pages[0]?.[0] ?? {}, { id: 'm9' })).toThrow(TypeError);
  });

  it('gives what can be read, says what cannot, and keeps that where it is', async () => {
    const state: SessionState = {};
    await append(state, ...idsUpTo(5));
    const history = copyOf(state)['history'] as { pages: [unknown[], ...unknown[]] };
    const [page] = history.pages;
    page[0] = null;
    page[1] = { ...(page[1] as object), payload: 7 };
    page[2] = { ...(page[2] as object), sequence: 'third' };
    history.pages.push('no page');
    const spoilt: SessionState = { history: JSON.parse(JSON.stringify(history)) };
    const backend = new SessionHistoryBackend({ maxMessages: 2 });
    const loaded = await backend.load(key, { state: spoilt });
    expect(loaded.records.map(({ id }) => id)).toEqual(['m4', 'm5']);
    expect(loaded.damaged).toEqual([
      { reason: expect.stringContaining('no object') },
      { sequence: 2, reason: expect.stringContaining('.payload') },
      { reason: expect.stringContaining('.sequence') },
      { reason: expect.stringContaining('no object') },
    ]);
    await backend.append(key, recordsOf('m6'), { state: spoilt });
    const after = await backend.load(key, { state: spoilt });
    expect(after.records.map(({ id }) => id)).toEqual(['m5', 'm6']);
    expect(after.damaged.length).toBe(4);
  });
});

describe('what an append costs', () => {
  it('does not grow with the history', async () => {
    const backend = new SessionHistoryBackend();
    const state: SessionState = {};
    const count = 20_000;
    await backend.append(key, recordsOf(...idsUpTo(count)), { state });
    const before = pagesOf(state);
    await backend.append(key, recordsOf('last'), { state });
    const after = pagesOf(state);
    const shared = after.filter((page, index) => page === before[index]);
    expect(shared.length, 'all full pages are shared').toBeGreaterThanOrEqual(before.length - 1);
  });

  it('remembers the 10,000 newest ids of what it trimmed, and hardly more', async () => {
    const backend = new SessionHistoryBackend({ maxMessages: 1 });
    const state: SessionState = {};
    const ids = idsUpTo(10_500);
    await backend.append(key, recordsOf(...ids), { state });
    await backend.append(key, recordsOf('last'), { state });
    for (const known of [
      await backend.load(key, { state, ids }),
      await new SessionHistoryBackend().load(key, { state: copyOf(state), ids }),
    ]) {
      expect(known.knownIds).toEqual(ids.slice(-known.knownIds.length));
      expect(known.knownIds.length).toBeGreaterThanOrEqual(10_000);
      expect(known.knownIds.length).toBeLessThan(10_100);
    }
    const again = await backend.append(key, recordsOf('m1', 'm10500'), { state });
    expect(again.duplicates).toEqual(['m10500']);
  });

  it('holds many messages in order over many pages', async () => {
    const state: SessionState = {};
    const backend = new SessionHistoryBackend({ maxMessages: 150 });
    const ids = idsUpTo(400);
    for (let start = 0; start < ids.length; start += 7) {
      await backend.append(key, recordsOf(...ids.slice(start, start + 7)), { state });
    }
    expect(await idsIn(state)).toEqual(ids.slice(-150));
    const newest = await backend.load(key, { state, limit: 100 });
    const before = newest.records[0]?.sequence ?? 0;
    const rest = await backend.load(key, { state, limit: 100, before });
    expect(rest.records.map(({ id }) => id)).toEqual(ids.slice(-150, -100));
  });
});

function append(state: SessionState, ...ids: readonly string[]): Promise<unknown> {
  return new SessionHistoryBackend().append(key, recordsOf(...ids), { state });
}

async function idsIn(state: SessionState): Promise<string[]> {
  const { records } = await new SessionHistoryBackend().load(key, { state });
  return records.map(({ id }) => id);
}

function pagesOf(state: SessionState): readonly unknown[] {
  return (state['history'] as { readonly pages: readonly unknown[] }).pages;
}

function copyOf(state: SessionState): SessionState {
  return JSON.parse(JSON.stringify(state)) as SessionState;
}

function recordsOf(...ids: readonly string[]): NewHistoryRecord[] {
  return ids.map((id) => ({
    v: 1,
    id,
    group: id,
    kind: 'user',
    payload: JSON.stringify({ id }),
  }));
}

function idsUpTo(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `m${index + 1}`);
}
