import type { UncheckedObject } from '../checks.js';
import type { ChatCompletionReply } from '../reply.js';
import { estimateTokens } from '../token-estimate.js';

/** A reply with everything settled that the test left open. */
export interface Completion {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly reply: ChatCompletionReply;
  readonly toolCalls: readonly CompletionToolCall[];
  readonly finishReason: string | null;
  readonly usage: Readonly<Record<string, unknown>>;
}

/** A tool call with its id and argument text. */
export interface CompletionToolCall {
  /** Absent where the server gives none. */
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: string;
}

let completions = 0;
let calls = 0;

/** Settles what a reply left open. */
export function createCompletion(reply: ChatCompletionReply, request: UncheckedObject): Completion {
  const toolCalls = (reply.toolCalls ?? []).map(({ id, name, arguments: value }) => ({
    id: id === undefined ? `call_${String(++calls).padStart(24, '0')}` : (id ?? undefined),
    name,
    arguments: typeof value === 'string' ? value : JSON.stringify(value),
  }));
  return {
    id: reply.id ?? `chatcmpl-${String(++completions).padStart(29, '0')}`,
    created: Math.floor(Date.now() / 1000),
    model: reply.model ?? String(request['model']),
    reply,
    toolCalls,
    finishReason:
      reply.finishReason === undefined
        ? toolCalls.length > 0
          ? 'tool_calls'
          : 'stop'
        : reply.finishReason,
    usage: reply.usage ?? estimateUsage(reply, request),
  };
}

/** `CompletionUsage`. */
function estimateUsage(
  reply: ChatCompletionReply,
  request: UncheckedObject,
): Readonly<Record<string, unknown>> {
  const prompt = estimateTokens(request['messages']);
  const reasoning = reply.reasoning === undefined ? 0 : estimateTokens(reply.reasoning);
  const answer = estimateTokens([reply.text ?? '', reply.refusal ?? '', reply.toolCalls ?? []]);
  return {
    prompt_tokens: prompt,
    completion_tokens: answer + reasoning,
    total_tokens: prompt + answer + reasoning,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: reasoning, audio_tokens: 0 },
  };
}

/** `CreateChatCompletionResponse`: the answer in one piece. */
export function completionBody(completion: Completion): Readonly<Record<string, unknown>> {
  const { reply, toolCalls } = completion;
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    refusal: reply.refusal ?? null,
    ...(reply.reasoning === undefined
      ? {}
      : { [reply.reasoningField ?? 'reasoning_content']: reply.reasoning }),
    annotations: [],
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map(({ id, name, arguments: text }) => ({
            ...(id === undefined ? {} : { id }),
            type: 'function',
            function: { name, arguments: text },
          })),
        }),
  };
  return {
    id: completion.id,
    object: 'chat.completion',
    created: completion.created,
    model: completion.model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: completion.finishReason }],
    usage: completion.usage,
    service_tier: 'default',
    system_fingerprint: 'fp_openai_wire',
  };
}
