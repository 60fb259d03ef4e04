import type { UncheckedObject } from '../checks.js';
import { isObject } from '../checks.js';
import type { Exchange } from '../exchange.js';
import type { ChatCompletionReply, Fault } from '../reply.js';
import { serverError } from '../reply.js';
import { type Completion, completionBody, createCompletion } from './completion.js';
import { completionChunks } from './completion-chunks.js';

/** Sends a reply to a checked request, streamed where the request asks for it. */
export async function answerChatCompletion(
  reply: ChatCompletionReply,
  request: UncheckedObject,
  exchange: Exchange,
): Promise<void> {
  const completion = createCompletion(reply, request);
  if (request['stream'] === true) {
    const options = request['stream_options'];
    const includeUsage = isObject(options) && options['include_usage'] === true;
    await streamCompletion(completion, includeUsage, exchange);
    return;
  }
  switch (reply.fault?.kind) {
    case undefined:
    case 'end':
      exchange.send({ status: 200, body: completionBody(completion) });
      return;
    case 'stall':
      await exchange.stall();
      return;
    case 'cut':
      exchange.cut();
      return;
    case 'malformed': {
      const headers = { 'content-type': 'application/json' };
      exchange.send({ status: 200, headers, body: '{"id":"chatcmpl-' });
      return;
    }
    case 'error':
      exchange.send({ ...serverError(), status: 200 });
  }
}

async function streamCompletion(
  completion: Completion,
  includeUsage: boolean,
  exchange: Exchange,
): Promise<void> {
  const { fault, stream } = completion.reply;
  const bytesPerWrite = stream?.bytesPerWrite;
  exchange.startEvents();
  for (const [index, chunk] of completionChunks(completion, includeUsage).entries()) {
    if (exchange.over) return;
    if (fault !== undefined && index === (fault.afterChunks ?? 2)) {
      const goesOn = await interrupt(fault.kind, exchange);
      if (!goesOn) return;
    }
    await exchange.sendEvent(JSON.stringify(chunk), bytesPerWrite);
  }
  await exchange.sendEvent('[DONE]', bytesPerWrite);
  exchange.end();
}

/** Plays a fault. Resolves to whether the stream goes on after it. */
async function interrupt(kind: Fault['kind'], exchange: Exchange): Promise<boolean> {
  switch (kind) {
    case 'stall':
      await exchange.stall();
      return false;
    case 'cut':
      exchange.cut();
      return false;
    case 'end':
      exchange.end();
      return false;
    case 'malformed':
      await exchange.sendEvent('{"id":"chatcmpl-');
      return true;
    case 'error':
      await exchange.sendEvent(JSON.stringify(serverError().body));
      return true;
  }
}
