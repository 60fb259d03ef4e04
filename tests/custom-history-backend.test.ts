import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { historyFileName } from '../examples/custom-history-backend/history-file.js';
import { JsonlHistoryBackend } from '../examples/custom-history-backend/jsonl-history-backend.js';
import { testHistoryBackend } from '../packages/conformance/src/history/index.js';
import { type HistoryKey, StoreError } from '../packages/core/src/index.js';

const newFolder = () => mkdtempSync(join(tmpdir(), 'minne-jsonl-'));

testHistoryBackend({
  name: 'JsonlHistoryBackend',
  abilities: {
    replace: true,
    list: true,
    erase: true,
    durable: true,
    trimming: true,
    damage: true,
  },
  create() {
    const folder = newFolder();
    return {
      open: (options) => new JsonlHistoryBackend({ folder, ...options }),
      damage(key) {
        const path = join(folder, historyFileName(key));
        const [head = '', oldest = '', ...others] = readFileSync(path, 'utf8').split('\n');
        writeFileSync(path, [head, oldest.slice(0, oldest.length / 2), ...others].join('\n'));
      },
      remove: () => rmSync(folder, { recursive: true }),
    };
  },
});

describe('JsonlHistoryBackend, when a process was killed', () => {
  const key: HistoryKey = { sessionId: 's1', sourceId: 'jsonl', actorId: 'kim' };
  const record = (id: string) =>
    ({ v: 1, id, group: id, kind: 'user', payload: `text of ${id}` }) as const;
  let folder: string;
  let path: string;
  let backend: JsonlHistoryBackend;

  beforeEach(async () => {
    folder = newFolder();
    path = join(folder, historyFileName(key));
    backend = new JsonlHistoryBackend({ folder });
    await backend.append(key, [record('m1')]);
    await backend.append(key, [record('m2'), record('m3')]);
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  const idsOf = async () => (await backend.load(key)).records.map(({ id }) => id);

  it('skips and reports a cut last line, and the next append begins a line of its own', async () => {
    appendFileSync(path, '{"id":"m4","ro');
    const { records, damaged, version } = await backend.load(key);
    expect(records.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3']);
    expect(damaged).toEqual([{ reason: expect.stringContaining('cut off') }]);
    expect(version).toBe('3');
    await backend.append(key, [record('m4')]);
    expect(await backend.load(key, { ids: ['m4'] })).toMatchObject({
      damaged: [],
      knownIds: ['m4'],
    });
    expect(await idsOf()).toEqual(['m1', 'm2', 'm3', 'm4']);
  });

  it('has all of an append or nothing, wherever it was cut', async () => {
    const whole = readFileSync(path);
    const firstEnd = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
    for (let size = 0; size < whole.length; size += 1) {
      writeFileSync(path, whole.subarray(0, size));
      expect(await idsOf(), `${size} bytes`).toEqual(size < firstEnd ? [] : ['m1']);
    }
    await backend.append(key, [record('m3')]);
    expect(await idsOf()).toEqual(['m1', 'm3']);
  });

  it('takes over the lock of a process that is gone, once', async () => {
    writeFileSync(join(folder, 'lock'), '4194305');
    const others = Array.from({ length: 5 }, () => new JsonlHistoryBackend({ folder }));
    await Promise.all(others.map((other, index) => other.append(key, [record(`n${index}`)])));
    expect((await idsOf()).length).toBe(8);
    expect(readdirSync(folder).sort()).toEqual([historyFileName(key), 'counter'].sort());
  });

  it('clears what a killed rewrite left, too', async () => {
    writeFileSync(`${path}.tmp`, 'text of m1');
    await backend.clear(key);
    expect(readdirSync(folder)).toEqual(['counter']);
  });

  it('erases what killed writes left, whose it may be', async () => {
    writeFileSync(`${path}.tmp`, 'text of m1');
    writeFileSync(join(folder, 'other.jsonl'), 'text of m1');
    expect(await backend.eraseActor('kim')).toBe(1);
    expect(readdirSync(folder)).toEqual(['counter']);
  });

  it('never gives a number again after a clear, and refuses a newer layout', async () => {
    await backend.clear(key);
    expect((await backend.append(key, [record('m5')])).version).toBe('4');
    writeFileSync(path, '{"head":{"layout":2},"write":{"number":9,"left":0}}\n');
    await expect(backend.load(key)).rejects.toThrow(StoreError);
  });
});
