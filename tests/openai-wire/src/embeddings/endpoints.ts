import type { Endpoint, EndpointContext } from '../endpoint.js';
import { checkModel } from '../models.js';
import { estimateTokens } from '../token-estimate.js';
import { checkEmbeddingRequest } from './check-request.js';

/** Embeddings: they need no script, and take off it only what goes wrong: plain HTTP, or a fault. */
export function embeddingEndpoints(context: EndpointContext): Endpoint[] {
  return [
    {
      method: 'POST',
      path: /^\/embeddings$/,
      answer: async (request, exchange) => {
        const { model, texts, dimensions, base64 } = checkEmbeddingRequest(request.body, context);
        if (context.models !== undefined) checkModel(model, context.models);
        request.effectiveInput = texts;
        const trouble = context.nextTrouble();
        if (trouble === 'stall') return exchange.stall();
        if (trouble === 'cut') return exchange.cut();
        if (trouble !== undefined) return exchange.send(trouble);
        const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        const data = texts.map((text, index) => {
          const vector = context.embed(text, dimensions);
          return {
            object: 'embedding',
            index,
            embedding: base64 ? base64Of(vector) : vector,
          };
        });
        const usage = { prompt_tokens: tokens, total_tokens: tokens };
        exchange.send({ status: 200, body: { object: 'list', data, model, usage } });
      },
    },
  ];
}

/** `encoding_format: base64` of the API reference: little-endian 32-bit floats. */
function base64Of(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
