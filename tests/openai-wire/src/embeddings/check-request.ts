import { type Check, checkMembers, expectObject, integer, oneOf, string } from '../checks.js';
import { estimateTokens } from '../token-estimate.js';
import { invalidType, missingParameter, WireRefusal } from '../wire-refusal.js';

/** Tokens of one text (`input` of `CreateEmbeddingRequest`). */
const longestText = 8192;

/** A checked request. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly texts: readonly string[];
  readonly dimensions: number;
  readonly base64: boolean;
}

/** `CreateEmbeddingRequest`: what it may hold beside `model` and `input`. */
const parameters: Readonly<Record<string, Check>> = {
  dimensions: integer(1),
  encoding_format: oneOf('float', 'base64'),
  user: string(),
};

/**
 * Checks the body of `POST /embeddings`.
 * @throws WireRefusal as the service would refuse it.
 */
export function checkEmbeddingRequest(
  value: unknown,
  { without }: { readonly without: readonly string[] },
): EmbeddingRequest {
  const request = expectObject(value, 'body');
  for (const param of ['model', 'input']) {
    if (request[param] === undefined) throw missingParameter(param);
  }
  for (const param of Object.keys(request)) {
    const known = Object.hasOwn(parameters, param) || param === 'model' || param === 'input';
    if (known && !without.includes(param)) continue;
    throw new WireRefusal(`Unrecognized request argument supplied: ${param}`);
  }
  checkMembers(request, '', {
    required: { model: string(), input: () => undefined },
    optional: parameters,
  });
  const { dimensions = 256 } = request;
  return {
    model: String(request['model']),
    texts: texts(request['input']),
    dimensions: Number(dimensions),
    base64: request['encoding_format'] === 'base64',
  };
}

/**
 * `input`: a text, or 1 to 2048 of them, none empty. Texts that are given as tokens are not understood
 * here. An empty text is refused in the words of https://github.com/MaartenGr/BERTopic/issues/1594,
 * one that is too long in those of https://github.com/geldata/gel/issues/7438.
 */
function texts(input: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(input) ? input : [input];
  const strings = list.filter((item) => typeof item === 'string');
  if (strings.length < list.length)
    throw invalidType('input', 'a string or an array of strings', input);
  if (list.length === 0 || list.length > 2048 || strings.includes('')) {
    throw new WireRefusal(
      "'$.input' is invalid. Please check the API reference: https://platform.openai.com/docs/api-reference.",
    );
  }
  for (const text of strings) {
    const tokens = estimateTokens(text);
    if (tokens <= longestText) continue;
    throw new WireRefusal(
      `This model's maximum context length is ${longestText} tokens, however you requested ${tokens} tokens (${tokens} in your prompt; 0 for the completion). Please reduce your prompt; or completion length.`,
    );
  }
  return strings;
}
