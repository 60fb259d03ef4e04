import { chatCompletionEndpoints } from './chat-completions/endpoints.js';
import { conversationEndpoints } from './conversations/endpoints.js';
import { embeddingEndpoints } from './embeddings/endpoints.js';
import type { Endpoint, EndpointContext } from './endpoint.js';
import { listModels, retrieveModel } from './models.js';
import { responseEndpoints } from './responses/endpoints.js';

/** Every operation the server knows. */
export function createEndpoints(context: EndpointContext): readonly Endpoint[] {
  return [
    ...modelEndpoints(context),
    ...chatCompletionEndpoints(context),
    ...responseEndpoints(context),
    ...conversationEndpoints(context),
    ...embeddingEndpoints(context),
  ];
}

function modelEndpoints({ models = ['gpt-4.1-mini'] }: EndpointContext): Endpoint[] {
  return [
    {
      method: 'GET',
      path: /^\/models$/,
      answer: (_request, exchange) => exchange.send({ status: 200, body: listModels(models) }),
    },
    {
      method: 'GET',
      path: /^\/models\/([^/]+)$/,
      answer: (_request, exchange, [id = '']) => {
        exchange.send({ status: 200, body: retrieveModel(id, models) });
      },
    },
  ];
}
