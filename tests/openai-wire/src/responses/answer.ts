import type { UncheckedObject } from '../checks.js';
import type { Exchange } from '../exchange.js';
import { type Fault, serverError } from '../reply.js';
import type { GeneratedResponse } from './response.js';
import { responseEvents } from './response-events.js';

/**
 * Sends a response, streamed where the request asks for it.
 * @param keep - Called just before the end of it is sent: who has that may go on with it at once, and a
 * response that was left or broke off is kept nowhere.
 */
export async function sendResponse(
  response: GeneratedResponse,
  request: UncheckedObject,
  exchange: Exchange,
  keep: () => void,
): Promise<void> {
  if (request['stream'] === true) {
    await streamResponse(response, exchange, keep);
    return;
  }
  switch (response.reply.fault?.kind) {
    case undefined:
    case 'end':
      keep();
      exchange.send({ status: 200, body: response.body });
      return;
    case 'stall':
      await exchange.stall();
      return;
    case 'cut':
      exchange.cut();
      return;
    case 'malformed': {
      const headers = { 'content-type': 'application/json' };
      exchange.send({ status: 200, headers, body: '{"id":"resp_' });
      return;
    }
    case 'error':
      exchange.send(serverError());
  }
}

async function streamResponse(
  response: GeneratedResponse,
  exchange: Exchange,
  keep: () => void,
): Promise<void> {
  const { fault, stream } = response.reply;
  exchange.startEvents();
  const events = responseEvents(response);
  for (const [index, event] of events.entries()) {
    if (exchange.over) return;
    if (fault !== undefined && index === (fault.afterChunks ?? 2)) {
      await interrupt(fault.kind, index, exchange);
      return;
    }
    if (index === events.length - 1) keep();
    await exchange.sendEvent(JSON.stringify(event), stream?.bytesPerWrite, event.type);
  }
  exchange.end();
}

/** Plays a fault, after which nothing more comes. */
async function interrupt(kind: Fault['kind'], index: number, exchange: Exchange): Promise<void> {
  switch (kind) {
    case 'stall':
      await exchange.stall();
      return;
    case 'cut':
      exchange.cut();
      return;
    case 'end':
      exchange.end();
      return;
    case 'malformed':
      await exchange.sendEvent('{"type":"response.', undefined, 'response.output_text.delta');
      exchange.end();
      return;
    case 'error':
      await sendErrorEvent(
        { code: 'server_error', message: 'The server had an error while processing your request.' },
        index,
        exchange,
      );
  }
}

/** `ResponseErrorEvent`, which ends a stream. */
export async function sendErrorEvent(
  error: { readonly code: string | null; readonly message: string; readonly param?: string | null },
  index: number,
  exchange: Exchange,
): Promise<void> {
  const event = { type: 'error', param: null, ...error, sequence_number: index };
  await exchange.sendEvent(JSON.stringify(event), undefined, 'error');
  exchange.end();
}
