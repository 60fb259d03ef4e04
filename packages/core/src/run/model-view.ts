import { CallPairing } from '../call-pairing.js';
import type { Content, ToolCallContent, ToolResultContent } from '../content.js';
import type { ChatMessage } from '../message.js';
import { isForModel, isPlain } from './plain-message.js';

/** What a model is told in place of a result that nobody recorded. */
const missingResult =
  'No result was recorded for this call. It may or may not have taken effect; check before doing it again.';

/**
 * The messages as a model may be sent them; what is stored stays as it is.
 *
 * - Every tool call is followed at once by exactly one result, matched by `callId` and occurrence,
 *   wherever the result stands; a call without one is given an error result.
 * - Results without a call are left out, and so are contents and whole messages that mean nothing to a
 *   model: approvals, usage, types of a later version.
 * - Arguments that are not valid JSON are sent as `{}`, since services refuse anything else; the
 *   result says what was wrong with them.
 */
export function modelView(messages: readonly ChatMessage[]): ChatMessage[] {
  if (messages.every(isPlain)) return [...messages];
  const results = collectResults(messages);
  const view: ChatMessage[] = [];
  for (const message of messages) {
    if (isPlain(message)) {
      view.push(message);
      continue;
    }
    const contents = message.contents.filter(isForModel);
    const kept = contents.filter(({ type }) => type !== 'tool_result');
    const calls = kept.filter((content) => content.type === 'tool_call');
    if (kept.length === 0) continue;
    view.push(
      kept.length === message.contents.length && calls.every(({ arguments: text }) => isJson(text))
        ? message
        : { ...message, contents: kept.map(sendable) },
    );
    for (const call of calls) {
      const found = results.get(call);
      view.push(resultMessage(message, call, found));
    }
  }
  return view;
}

/**
 * The messages as they are added to a conversation that the service keeps: what means nothing to a
 * model is left out, and results answer calls that only the service holds.
 */
export function serviceView(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message) => {
    const contents = message.contents.filter(isForModel);
    if (contents.length === 0) return [];
    return [{ ...message, contents: contents.map(sendable) }];
  });
}

/** Whether the text is JSON, as the arguments of a call must be. Models write nothing for "none". */
export function isJson(text: string): boolean {
  if (text.trim() === '') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sendable(content: Content): Content {
  if (content.type !== 'tool_call' || isJson(content.arguments)) return content;
  return { ...content, arguments: '{}' };
}

interface FoundResult {
  readonly message: ChatMessage;
  readonly content: ToolResultContent;
}

/** The result of each call, wherever it stands after it. */
function collectResults(messages: readonly ChatMessage[]): Map<ToolCallContent, FoundResult> {
  const pairing = new CallPairing<ToolCallContent>();
  const results = new Map<ToolCallContent, FoundResult>();
  for (const message of messages) {
    if (isPlain(message)) continue;
    for (const content of message.contents) {
      if (content.type === 'tool_call') pairing.call(content.callId, content);
      else if (content.type === 'tool_result') {
        const call = pairing.result(content.callId);
        if (call !== undefined) results.set(call, { message, content });
      }
    }
  }
  return results;
}

function resultMessage(
  caller: ChatMessage,
  call: ToolCallContent,
  found: FoundResult | undefined,
): ChatMessage {
  if (found?.message.contents.length === 1 && found.message.role === 'tool') return found.message;
  const content: ToolResultContent = found?.content ?? {
    type: 'tool_result',
    callId: call.callId,
    result: null,
    error: isJson(call.arguments)
      ? missingResult
      : 'The arguments of this call were not valid JSON, so it was not run.',
  };
  return {
    id: found?.message.id ?? `${caller.id}:${call.callId}`,
    role: 'tool',
    contents: [content],
    createdAt: found?.message.createdAt ?? caller.createdAt,
  };
}
