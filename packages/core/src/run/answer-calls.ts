import { CallPairing } from '../call-pairing.js';
import type { Content, ToolCallContent } from '../content.js';
import type { IdGenerator } from '../identity.js';
import type { ChatMessage } from '../message.js';
import { newCallId } from '../response-accumulator.js';

/** The tool calls of a message, in order. */
export function callsOf(message: ChatMessage): ToolCallContent[] {
  return message.contents.filter((content) => content.type === 'tool_call');
}

/**
 * The calls of an answer that are to be run, in order: all but those whose result the answer holds too,
 * as of tools that the service runs itself.
 */
export function openCalls(answer: readonly ChatMessage[]): ToolCallContent[] {
  const pairing = new CallPairing<ToolCallContent>();
  for (const { contents } of answer) {
    for (const content of contents) {
      if (content.type === 'tool_call') pairing.call(content.callId, content);
      else if (content.type === 'tool_result') pairing.result(content.callId);
    }
  }
  const open = new Set(pairing.open());
  return answer.flatMap(callsOf).filter((call) => open.has(call));
}

/**
 * The answer with an id of its own for each call: some services give one id to several, of which one may
 * wait for approval while another is run, and a result must tell which it answers. The first keeps the id.
 */
export function withOwnCallIds(
  answer: readonly ChatMessage[],
  ids: IdGenerator,
): readonly ChatMessage[] {
  const given = new Set<string>();
  const pairing = new CallPairing<string>();
  let shared = false;
  const renamed = (content: Content): Content => {
    if (content.type === 'tool_result') {
      const callId = pairing.result(content.callId) ?? content.callId;
      return callId === content.callId ? content : { ...content, callId };
    }
    if (content.type !== 'tool_call') return content;
    const callId = given.has(content.callId) ? newCallId(ids()) : content.callId;
    given.add(callId);
    pairing.call(content.callId, callId);
    if (callId === content.callId) return content;
    shared = true;
    return { ...content, callId };
  };
  const messages = answer.map((message) => ({
    ...message,
    contents: message.contents.map(renamed),
  }));
  return shared ? messages : answer;
}
