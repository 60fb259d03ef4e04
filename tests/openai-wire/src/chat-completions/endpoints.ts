import type { UncheckedObject } from '../checks.js';
import { type Endpoint, type EndpointContext, nextAnswer } from '../endpoint.js';
import type { Exchange } from '../exchange.js';
import { checkModel } from '../models.js';
import { estimateTokens } from '../token-estimate.js';
import { WireRefusal } from '../wire-refusal.js';
import type { RecordedRequest } from '../wire-request.js';
import { answerChatCompletion } from './answer.js';
import { checkChatCompletionRequest } from './check-request.js';

/** Chat Completions. */
export function chatCompletionEndpoints(context: EndpointContext): Endpoint[] {
  return [
    {
      method: 'POST',
      path: /^\/chat\/completions$/,
      answer: (request, exchange) => complete(request, exchange, context),
    },
  ];
}

async function complete(
  request: RecordedRequest,
  exchange: Exchange,
  context: EndpointContext,
): Promise<void> {
  const body = checkChatCompletionRequest(request.body, context);
  if (context.models !== undefined) checkModel(body['model'], context.models);
  checkContextLength(body, context.contextLength);
  request.effectiveInput = body['messages'] as readonly unknown[];
  const reply = await nextAnswer(request, exchange, context);
  if (reply !== undefined) await answerChatCompletion(reply, body, exchange);
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
