/** Memories are private: no cache keeps an answer, and no browser guesses at its type. */
const commonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** An answer with a JSON body. Members that are `undefined` are left out of it. */
export function json(
  body: object,
  options: { readonly status?: number; readonly headers?: Readonly<Record<string, string>> } = {},
): Response {
  return new Response(JSON.stringify(body), {
    status: options.status ?? 200,
    headers: { ...commonHeaders, ...options.headers },
  });
}
