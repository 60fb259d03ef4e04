import type { UncheckedObject } from '../checks.js';
import { isObject } from '../checks.js';
import type { ResponseReply } from '../reply.js';
import type { ServiceMemory } from '../service-memory.js';
import { estimateTokens } from '../token-estimate.js';
import { encrypt } from './encrypted-content.js';

/** What a response is made from. */
export interface ResponseRequest {
  readonly request: UncheckedObject;
  readonly owner: string;
  /** Everything the model is given. */
  readonly items: readonly UncheckedObject[];
}

/** A reply with everything settled that the test left open. */
export interface GeneratedResponse {
  readonly id: string;
  readonly reply: ResponseReply;
  readonly output: readonly UncheckedObject[];
  /** Whether it can be continued later. */
  readonly kept: boolean;
  /** `Response` at its end. */
  readonly body: UncheckedObject;
}

/** Settles what a reply left open. */
export function createResponse(
  reply: ResponseReply,
  { request, owner, items }: ResponseRequest,
  memory: ServiceMemory,
): GeneratedResponse {
  const id = reply.id ?? memory.nextId('resp');
  const kept = request['store'] !== false && reply.kept !== false;
  const output = outputItems(reply, request, owner, memory);
  memory.rememberOrigins(output);
  const body = {
    ...echo(request),
    id,
    object: 'response',
    created_at: Math.floor(Date.now() / 1000),
    model: reply.model ?? request['model'],
    ...ending(reply),
    output,
    store: kept,
    usage: reply.usage ?? estimateUsage(items, output, reply),
  };
  return { id, reply, output, kept: kept && body.status !== 'failed', body };
}

/** What a response repeats of its request. */
function echo(request: UncheckedObject): UncheckedObject {
  const { conversation } = request;
  const id = isObject(conversation) ? conversation['id'] : conversation;
  return {
    background: false,
    conversation: typeof id === 'string' ? { id } : null,
    instructions: request['instructions'] ?? null,
    max_output_tokens: request['max_output_tokens'] ?? null,
    metadata: request['metadata'] ?? {},
    parallel_tool_calls: request['parallel_tool_calls'] ?? true,
    previous_response_id: request['previous_response_id'] ?? null,
    reasoning: request['reasoning'] ?? { effort: null, summary: null },
    temperature: request['temperature'] ?? 1,
    text: request['text'] ?? { format: { type: 'text' } },
    tool_choice: request['tool_choice'] ?? 'auto',
    tools: request['tools'] ?? [],
    top_p: request['top_p'] ?? 1,
    truncation: request['truncation'] ?? 'disabled',
    user: request['user'] ?? null,
  };
}

function ending({ failure, finishReason }: ResponseReply) {
  if (failure !== undefined) {
    return { status: 'failed', error: failure, incomplete_details: null };
  }
  const reasons: Readonly<Record<string, string>> = {
    length: 'max_output_tokens',
    content_filter: 'content_filter',
  };
  const reason = reasons[finishReason ?? ''];
  return reason === undefined
    ? { status: 'completed', error: null, incomplete_details: null }
    : { status: 'incomplete', error: null, incomplete_details: { reason } };
}

/** `OutputItem`s: reasoning, the message, the calls. */
function outputItems(
  reply: ResponseReply,
  request: UncheckedObject,
  owner: string,
  memory: ServiceMemory,
): readonly UncheckedObject[] {
  const items: UncheckedObject[] = [];
  const { reasoning, text, refusal } = reply;
  if (reasoning !== undefined || reply.reasoningSummary !== undefined) {
    const summary = reply.reasoningSummary ?? (reasoning === '' ? [] : [reasoning]);
    items.push({
      id: memory.nextId('rs'),
      type: 'reasoning',
      summary: summary.map((part) => ({ type: 'summary_text', text: part })),
      ...(includesEncrypted(request)
        ? { encrypted_content: encrypt(summary.join('\n'), owner) }
        : {}),
    });
  }
  const status = reply.finishReason === 'length' ? 'incomplete' : 'completed';
  if (text !== undefined || refusal !== undefined) {
    items.push({
      id: memory.nextId('msg'),
      type: 'message',
      status,
      role: 'assistant',
      content: [
        ...(text === undefined
          ? []
          : [{ type: 'output_text', text, annotations: [], logprobs: [] }]),
        ...(refusal === undefined ? [] : [{ type: 'refusal', refusal }]),
      ],
    });
  }
  for (const { id, name, arguments: value } of reply.toolCalls ?? []) {
    items.push({
      id: memory.nextId('fc'),
      type: 'function_call',
      status,
      call_id: id ?? memory.nextId('call'),
      name,
      arguments: typeof value === 'string' ? value : JSON.stringify(value),
    });
  }
  return items;
}

function includesEncrypted({ include }: UncheckedObject): boolean {
  return Array.isArray(include) && include.includes('reasoning.encrypted_content');
}

/** `ResponseUsage`. */
function estimateUsage(
  items: readonly UncheckedObject[],
  output: readonly UncheckedObject[],
  { reasoning }: ResponseReply,
): UncheckedObject {
  const input = estimateTokens(items);
  const thought = reasoning === undefined ? 0 : estimateTokens(reasoning);
  const answer = estimateTokens(output);
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: answer + thought,
    output_tokens_details: { reasoning_tokens: thought },
    total_tokens: input + answer + thought,
  };
}
