/** Where a request goes within the API. */
export interface ApiPath {
  /** Such as `/responses/resp_1`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/**
 * The path of a request within the API, or `undefined` when the address leads elsewhere. OpenAI serves
 * it under `/v1`; Azure under `/openai/v1`, and with an `api-version` under `/openai` and
 * `/openai/deployments/{name}`, as the `AzureOpenAI` class of the `openai` package builds its addresses.
 */
export function apiPath(url: string): ApiPath | undefined {
  const { pathname, searchParams: query } = new URL(url, 'http://localhost');
  const plain = /^(?:\/openai)?\/v1(\/.+)$/.exec(pathname)?.[1];
  if (plain !== undefined) return { path: plain, query };
  const azure = /^\/openai(?:\/deployments\/[^/]+)?(\/.+)$/.exec(pathname)?.[1];
  return azure === undefined || !query.has('api-version') ? undefined : { path: azure, query };
}
