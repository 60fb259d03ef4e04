import { isObject, type UncheckedObject } from '../checks.js';
import { cut } from '../cut.js';
import type { StreamShape } from '../reply.js';
import type { GeneratedResponse } from './response.js';

type Event = UncheckedObject & { readonly type: string };

/**
 * `ResponseStreamEvent`: a response as the events of a stream, in order and numbered. What grows (text,
 * summaries, refusals, arguments) comes in pieces between an event that adds it and one that repeats it whole.
 */
export function responseEvents({ body, output, reply }: GeneratedResponse): readonly Event[] {
  const shape = reply.stream ?? {};
  const begun = { ...body, status: 'in_progress', output: [], usage: null, error: null };
  const items = output.map((item, index) => [...itemEvents(item, index, shape)]);
  const events: Event[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...(shape.interleaveToolCalls === true ? inTurns(items, output) : items.flat()),
    { type: `response.${String(body['status'])}`, response: body },
  ];
  return events.map((event, index) => ({ ...event, sequence_number: index }));
}

function* itemEvents(
  item: UncheckedObject,
  outputIndex: number,
  shape: StreamShape,
): Generator<Event> {
  const at = { output_index: outputIndex, item_id: item['id'] };
  const pieces = (text: unknown): string[] => cut(String(text), shape.pieceLength ?? 4);
  const empty = { ...item, ...emptied(item) };
  yield { type: 'response.output_item.added', output_index: outputIndex, item: empty };
  switch (item['type']) {
    case 'reasoning':
      yield* summaryEvents(item, at, pieces);
      break;
    case 'message':
      yield* contentEvents(item, at, pieces);
      break;
    default: {
      const type = 'response.function_call_arguments';
      for (const delta of pieces(item['arguments'])) yield { type: `${type}.delta`, ...at, delta };
      yield { type: `${type}.done`, ...at, arguments: item['arguments'] };
    }
  }
  yield { type: 'response.output_item.done', output_index: outputIndex, item };
}

/** How an item looks when it begins. */
function emptied(item: UncheckedObject): UncheckedObject {
  switch (item['type']) {
    case 'reasoning':
      return { summary: [], ...('encrypted_content' in item ? { encrypted_content: '' } : {}) };
    case 'message':
      return { status: 'in_progress', content: [] };
    default:
      return { status: 'in_progress', arguments: '' };
  }
}

function* summaryEvents(
  { summary }: UncheckedObject,
  place: UncheckedObject,
  pieces: (text: unknown) => string[],
): Generator<Event> {
  for (const [index, part] of objects(summary).entries()) {
    const at = { ...place, summary_index: index };
    const type = 'response.reasoning_summary';
    yield { type: `${type}_part.added`, ...at, part: { ...part, text: '' } };
    for (const delta of pieces(part['text'])) yield { type: `${type}_text.delta`, ...at, delta };
    yield { type: `${type}_text.done`, ...at, text: part['text'] };
    yield { type: `${type}_part.done`, ...at, part };
  }
}

function* contentEvents(
  { content }: UncheckedObject,
  place: UncheckedObject,
  pieces: (text: unknown) => string[],
): Generator<Event> {
  for (const [index, part] of objects(content).entries()) {
    const at = { ...place, content_index: index };
    const [member, type] =
      part['type'] === 'refusal' ? ['refusal', 'refusal'] : ['text', 'output_text'];
    yield { type: 'response.content_part.added', ...at, part: { ...part, [member]: '' } };
    for (const delta of pieces(part[member]))
      yield { type: `response.${type}.delta`, ...at, delta };
    yield { type: `response.${type}.done`, ...at, [member]: part[member] };
    yield { type: 'response.content_part.done', ...at, part };
  }
}

/** The calls take turns; what is no call comes before them. */
function inTurns(items: readonly Event[][], output: readonly UncheckedObject[]): Event[] {
  const isCall = (_: unknown, index: number): boolean =>
    output[index]?.['type'] === 'function_call';
  const calls = items.filter(isCall);
  const others = items.filter((events, index) => !isCall(events, index));
  const rounds = Math.max(0, ...calls.map((events) => events.length));
  const turns = Array.from({ length: rounds }, (_, round) =>
    calls.flatMap((events) => events.slice(round, round + 1)),
  );
  return [...others.flat(), ...turns.flat()];
}

function objects(value: unknown): readonly UncheckedObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
