import { describe, expect, it } from 'vitest';
import { readLines } from '../page/read-lines.js';

function streamOf(chunks: readonly Uint8Array[], onCancel?: () => void) {
  const rest = [...chunks];
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = rest.shift();
      if (chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
    cancel: () => onCancel?.(),
  });
}

describe('reading lines of a stream', () => {
  const text = '{"a":"å"}\n\n{"b":"🦊"}\nlast';

  it.each([1, 2, 3, 7, 100])('finds the same lines in chunks of %i bytes', async (size) => {
    const bytes = new TextEncoder().encode(text);
    const chunks = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    const lines = await Array.fromAsync(readLines(streamOf(chunks)));
    expect(lines).toEqual(['{"a":"å"}', '{"b":"🦊"}', 'last']);
  });

  it('is empty for an empty stream', async () => {
    expect(await Array.fromAsync(readLines(streamOf([])))).toEqual([]);
  });

  it('cancels the stream when it is left', async () => {
    let isCancelled = false;
    const bytes = new TextEncoder().encode('one\ntwo\n');
    const stream = streamOf([bytes, bytes, bytes], () => {
      isCancelled = true;
    });
    for await (const line of readLines(stream)) {
      expect(line).toBe('one');
      break;
    }
    expect(isCancelled).toBe(true);
  });
});
