import { cut } from '../cut.js';
import type { StreamShape } from '../reply.js';
import type { Completion, CompletionToolCall } from './completion.js';

type Delta = Readonly<Record<string, unknown>>;

/**
 * `CreateChatCompletionStreamResponse`: the answer as the chunks of a stream, in order, without
 * `[DONE]`. With `includeUsage`, every chunk carries `usage: null` and one more comes at the end, with
 * the usage and no choices (`stream_options.include_usage` of the API reference).
 */
export function completionChunks(
  completion: Completion,
  includeUsage: boolean,
): readonly Readonly<Record<string, unknown>>[] {
  const shape = completion.reply.stream ?? {};
  const everywhere = shape.usage === 'every';
  const head = {
    id: completion.id,
    object: 'chat.completion.chunk',
    created: completion.created,
    model: completion.model,
    service_tier: 'default',
    system_fingerprint: 'fp_openai_wire',
  };
  const usage = includeUsage ? { usage: everywhere ? completion.usage : null } : {};
  const chunks = [...deltas(completion, shape), {}].map((delta, index, all) => ({
    ...head,
    choices: [
      {
        index: 0,
        delta,
        logprobs: null,
        finish_reason: index === all.length - 1 ? completion.finishReason : null,
      },
    ],
    ...usage,
  }));
  if (!includeUsage || everywhere) return chunks;
  return [...chunks, { ...head, choices: [], usage: completion.usage }];
}

function* deltas({ reply, toolCalls }: Completion, shape: StreamShape): Generator<Delta> {
  yield { role: 'assistant', content: reply.text === undefined ? null : '', refusal: null };
  const pieces = (text = ''): string[] => cut(text, shape.pieceLength ?? 4);
  const reasoningField = reply.reasoningField ?? 'reasoning_content';
  for (const piece of pieces(reply.reasoning)) yield { [reasoningField]: piece };
  for (const piece of pieces(reply.text)) yield { content: piece };
  for (const piece of pieces(reply.refusal)) yield { refusal: piece };
  const calls = toolCalls.map((call, index) => [...callDeltas(call, index, shape, pieces)]);
  if (shape.interleaveToolCalls !== true) {
    yield* calls.flat();
    return;
  }
  const rounds = Math.max(0, ...calls.map((call) => call.length));
  for (let round = 0; round < rounds; round += 1) {
    for (const call of calls) {
      const delta = call[round];
      if (delta !== undefined) yield delta;
    }
  }
}

function* callDeltas(
  call: CompletionToolCall,
  index: number,
  shape: StreamShape,
  pieces: (text: string) => string[],
): Generator<Delta> {
  const indexes = { each: { index }, zero: { index: 0 }, none: {} };
  const position = indexes[shape.toolCallIndexes ?? 'each'];
  const id = call.id === undefined ? {} : { id: call.id };
  const head = { ...position, ...id, type: 'function' };
  yield { tool_calls: [{ ...head, function: { name: call.name, arguments: '' } }] };
  for (const piece of pieces(call.arguments)) {
    yield shape.repeatToolCallHeads === true
      ? { tool_calls: [{ ...head, function: { name: call.name, arguments: piece } }] }
      : { tool_calls: [{ ...position, function: { arguments: piece } }] };
  }
}
