import { answerChatCompletion } from './chat-completions/answer.js';
import { checkChatCompletionRequest } from './chat-completions/check-request.js';
import type { UncheckedObject } from './checks.js';
import type { Exchange } from './exchange.js';
import { checkModel, listModels, retrieveModel } from './models.js';
import { isHttpReply, type Reply } from './reply.js';
import { estimateTokens } from './token-estimate.js';
import { WireRefusal } from './wire-refusal.js';
import type { WireRequest } from './wire-request.js';

/** One operation of the API. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  readonly path: RegExp;
  /** @throws WireRefusal for a request that the service refuses. */
  answer(request: WireRequest, exchange: Exchange): Promise<void> | void;
}

/** What the endpoints share. */
export interface EndpointContext {
  readonly models: readonly string[] | undefined;
  readonly contextLength: number | undefined;
  readonly without: readonly string[];
  /** Takes the next reply off the script. */
  nextReply(): Reply | undefined;
}

/** Every operation the server knows. */
export function createEndpoints(context: EndpointContext): readonly Endpoint[] {
  const models = context.models ?? ['gpt-4.1-mini'];
  return [
    {
      method: 'GET',
      path: /^\/v1\/models$/,
      answer: (_request, exchange) => exchange.send({ status: 200, body: listModels(models) }),
    },
    {
      method: 'GET',
      path: /^\/v1\/models\/[^/]+$/,
      answer: ({ path }, exchange) => {
        const id = decodeURIComponent(path.slice('/v1/models/'.length));
        exchange.send({ status: 200, body: retrieveModel(id, models) });
      },
    },
    {
      method: 'POST',
      path: /^\/v1\/chat\/completions$/,
      answer: (request, exchange) => chatCompletion(request, exchange, context),
    },
  ];
}

async function chatCompletion(
  request: WireRequest,
  exchange: Exchange,
  context: EndpointContext,
): Promise<void> {
  const body = checkChatCompletionRequest(request.body, context);
  if (context.models !== undefined) checkModel(body['model'], context.models);
  checkContextLength(body, context.contextLength);
  const next = context.nextReply();
  if (next === undefined) throw new Error('the script is at its end; enqueue a reply');
  const reply = typeof next === 'function' ? await next(request) : next;
  if (isHttpReply(reply)) exchange.send(reply);
  else await answerChatCompletion(reply, body, exchange);
}

/** Shape as seen in https://github.com/crewAIInc/crewAI-examples/issues/121. */
function checkContextLength(body: UncheckedObject, limit: number | undefined): void {
  const tokens = estimateTokens(body['messages']);
  if (limit === undefined || tokens <= limit) return;
  throw new WireRefusal(
    `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
    { param: 'messages', code: 'context_length_exceeded' },
  );
}
