import { type ChatMessage, type Content, isSummary } from '@minne/core';
import { resultText } from './content-tokens.js';
import { summaryRangeOf } from './message-kinds.js';

/** Characters of an address that are told; a `data:` address holds a whole file. */
const longestAddress = 500;

/**
 * Messages as text for a model that is to summarise them: one line of JSON for each message, so that
 * nothing in a message can pass for a message of its own, or for the end of the transcript.
 */
export function transcriptOf(messages: readonly ChatMessage[]): string {
  return messages.map(lineOf).join('\n');
}

/**
 * A value as JSON that takes one line and closes no tag, whatever it holds. It is still the JSON of the
 * same value: JSON lets a slash, and every character, be escaped.
 */
export function quotedLine(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('</', '<\\/')
    .replace(
      /[\u0085\u2028\u2029]/g,
      (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

function lineOf(message: ChatMessage): string {
  const { role, authorName, status, contents } = message;
  const covers = isSummary(message) ? (summaryRangeOf(message)?.count ?? 'unknown') : undefined;
  return quotedLine({
    ...(covers === undefined ? { role } : { earlierSummaryOfMessages: covers }),
    ...(authorName === undefined ? {} : { name: authorName }),
    ...(status === undefined ? {} : { status }),
    contents: contents.flatMap(partOf),
  });
}

function partOf(content: Content): readonly unknown[] {
  switch (content.type) {
    case 'text':
      return [content.text];
    case 'reasoning':
      return content.text === '' ? [] : [{ thought: content.text }];
    case 'data':
      return [{ file: content.mediaType, ...(content.name ? { name: content.name } : {}) }];
    case 'uri':
      return [{ file: content.mediaType, uri: content.uri.slice(0, longestAddress) }];
    case 'hosted_file':
      return [{ file: content.mediaType ?? 'unknown', id: content.fileId }];
    case 'tool_call':
      return [{ call: content.name, id: content.callId, arguments: content.arguments }];
    case 'tool_result':
      return [
        {
          result: resultText(content),
          id: content.callId,
          ...(content.error === undefined ? {} : { failed: true }),
        },
      ];
    case 'approval_request':
      return [{ asksConsentTo: content.toolCall.name, id: content.toolCall.callId }];
    case 'approval_response':
      return [{ consent: content.approved, ...(content.reason ? { reason: content.reason } : {}) }];
    case 'error':
      return [{ error: content.message }];
    default:
      return [];
  }
}
