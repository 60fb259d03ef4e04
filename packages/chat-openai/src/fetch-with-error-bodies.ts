import { isJsonObject, type JsonObject } from '@minne/core';
import { textOf } from './read-json.js';

/**
 * `fetch`, except that a refusal whose body is not in OpenAI's shape is brought into it: the `openai`
 * package drops what stands outside of `error`, which is where vLLM (`message`), Mistral (`message`,
 * `detail`) and others say what was wrong.
 */
export async function fetchWithErrorBodies(
  ...request: Parameters<typeof fetch>
): Promise<Response> {
  const response = await fetch(...request);
  if (response.ok || !response.headers.get('content-type')?.includes('json')) return response;
  const text = await response.text();
  const body = parseObject(text);
  const headers = new Headers(response.headers);
  // The body has been decoded and may have another length.
  headers.delete('content-encoding');
  headers.delete('content-length');
  const { status, statusText } = response;
  const shaped =
    body === undefined || 'error' in body ? text : JSON.stringify({ error: errorOf(body) });
  return new Response(shaped, { status, statusText, headers });
}

function errorOf(body: JsonObject): JsonObject {
  const said = body['message'] ?? body['detail'] ?? body;
  return { ...body, message: textOf(said) ?? JSON.stringify(said) };
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isJsonObject(body) ? body : undefined;
  } catch {
    return undefined;
  }
}
