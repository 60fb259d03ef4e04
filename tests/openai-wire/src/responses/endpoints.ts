import type { UncheckedObject } from '../checks.js';
import { conversationItem } from '../conversations/conversation-items.js';
import { type Endpoint, type EndpointContext, nextAnswer } from '../endpoint.js';
import type { Exchange } from '../exchange.js';
import { checkModel } from '../models.js';
import type { ResponseReply } from '../reply.js';
import { estimateTokens } from '../token-estimate.js';
import { WireRefusal } from '../wire-refusal.js';
import { ownerOf, type RecordedRequest } from '../wire-request.js';
import { sendErrorEvent, sendResponse } from './answer.js';
import { checkResponseRequest } from './check-request.js';
import { type EffectiveInput, effectiveInput } from './effective-input.js';
import { createResponse } from './response.js';

/** Responses. */
export function responseEndpoints(context: EndpointContext): Endpoint[] {
  const { memory } = context;
  return [
    {
      method: 'POST',
      path: /^\/responses$/,
      answer: (request, exchange) => respond(request, exchange, context),
    },
    {
      method: 'GET',
      path: /^\/responses\/([^/]+)$/,
      answer: (request, exchange, [id = '']) => {
        const found = memory.response(ownerOf(request), id);
        if (found === undefined) throw responseNotFound(id);
        exchange.send({ status: 200, body: found.body });
      },
    },
    {
      method: 'DELETE',
      path: /^\/responses\/([^/]+)$/,
      answer: (request, exchange, [id = '']) => {
        if (!memory.deleteResponse(ownerOf(request), id)) throw responseNotFound(id);
        exchange.send({ status: 200, body: { id, object: 'response', deleted: true } });
      },
    },
  ];
}

function responseNotFound(id: string): WireRefusal {
  return new WireRefusal(`Response with id '${id}' not found.`, { status: 404 });
}

async function respond(
  request: RecordedRequest,
  exchange: Exchange,
  context: EndpointContext,
): Promise<void> {
  const body = checkResponseRequest(request.body, context);
  if (context.models !== undefined) checkModel(body['model'], context.models);
  const input = effectiveInput(body, ownerOf(request), context.memory);
  if (await refuseTooLong(body, input, exchange, context.contextLength)) return;
  request.effectiveInput = input.items;
  const { conversation } = input;
  if (conversation !== undefined) conversation.locked = true;
  try {
    const reply = await nextAnswer(request, exchange, context);
    if (reply !== undefined) await answer(reply, body, request, exchange, input, context);
  } finally {
    if (conversation !== undefined) conversation.locked = false;
  }
}

async function answer(
  reply: ResponseReply,
  body: UncheckedObject,
  request: RecordedRequest,
  exchange: Exchange,
  { items, fresh, conversation }: EffectiveInput,
  { memory }: EndpointContext,
): Promise<void> {
  const owner = ownerOf(request);
  const response = createResponse(reply, { request: body, owner, items }, memory);
  const { id, output, kept } = response;
  const keep = (): void => {
    if (!kept) return;
    memory.keepResponse(owner, id, { items: [...items, ...output], body: response.body });
    if (conversation === undefined) return;
    // `conversation` of the API reference: items are added after the response completes.
    const named = fresh.map((item) => conversationItem(item, memory));
    conversation.items = [...conversation.items, ...named, ...output];
  };
  await sendResponse(response, body, exchange, keep);
}

/**
 * Over the context length: refused, and in a stream, which has begun by then, an error event
 * (https://github.com/dyad-sh/dyad/issues/1672). @returns Whether it was too long for a stream.
 */
async function refuseTooLong(
  body: UncheckedObject,
  { items }: EffectiveInput,
  exchange: Exchange,
  limit: number | undefined,
): Promise<boolean> {
  if (limit === undefined || estimateTokens(items) <= limit) return false;
  const message =
    'Your input exceeds the context window of this model. Please adjust your input and try again.';
  const refusal = { param: 'input', code: 'context_length_exceeded' };
  if (body['stream'] !== true) throw new WireRefusal(message, refusal);
  exchange.startEvents();
  await sendErrorEvent({ message, ...refusal }, 0, exchange);
  return true;
}
