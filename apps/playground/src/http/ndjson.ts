/**
 * Sends values as lines of JSON while they come. When the reader leaves, `onLeave` is called and the
 * values are left too, so that whatever makes them can end in order.
 */
export function ndjsonResponse(values: AsyncGenerator<unknown>, onLeave: () => void): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await values.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
    async cancel() {
      onLeave();
      await values.return(undefined);
    },
  });
  return new Response(body, {
    headers: { 'Content-Type': 'application/x-ndjson; charset=utf-8', 'Cache-Control': 'no-store' },
  });
}
