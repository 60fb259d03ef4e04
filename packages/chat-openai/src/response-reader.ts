import {
  ChatClientError,
  type ChatResponse,
  type Content,
  type FinishReason,
  isJsonObject,
  type JsonObject,
} from '@minne/core';
import { itemMetadata } from './item-metadata.js';
import { objectOf, objectsOf, textOf } from './read-json.js';
import { argumentsOf, newCallId, refusalContent, usageOf } from './response-content.js';
import { reportedError } from './service-error.js';

/** Reads a response. @throws ChatClientError when it is none; the service's error when it failed. */
export function readResponse(response: unknown, store: boolean): ChatResponse {
  if (isJsonObject(response)) throwIfFailed(response);
  if (!isJsonObject(response) || !Array.isArray(response['output'])) {
    throw new ChatClientError(
      'The answer is not a response: it has no output. Check that the base URL leads to an API that speaks Responses; it usually ends in /v1.',
      { packageName: '@minne/chat-openai', field: 'baseUrl' },
    );
  }
  throwIfUnfinished(response);
  const contents = objectsOf(response['output']).flatMap(itemContents);
  const usage = usageOf(response['usage']);
  const { modelId, responseId, serviceSessionId } = identityOf(response, store);
  const metadata = responseId === undefined ? {} : { metadata: { 'minne.service_id': responseId } };
  return {
    // As in a stream, nothing said is no message.
    messages: contents.length === 0 ? [] : [{ role: 'assistant', contents, ...metadata }],
    finishReason: finishReasonOf(response, contents.some(isCall)),
    ...(usage === undefined ? {} : { usage }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(responseId === undefined ? {} : { responseId }),
    ...(serviceSessionId === undefined ? {} : { serviceSessionId }),
  };
}

function isCall({ type }: Content): boolean {
  return type === 'tool_call';
}

/** What a response is called, and how it can be continued. */
export interface ResponseIdentity {
  readonly modelId: string | undefined;
  readonly responseId: string | undefined;
  /** The conversation it belongs to, else itself; `undefined` when the service does not keep it. */
  readonly serviceSessionId: string | undefined;
}

/**
 * Reads names out of a response, finished or not.
 * @param store - Whether the request asked for it to be kept. The service may have decided otherwise, as
 * it does under zero data retention.
 */
export function identityOf(response: JsonObject, store: boolean): ResponseIdentity {
  const responseId = textOf(response['id']);
  const kept = store && response['store'] !== false;
  return {
    modelId: textOf(response['model']),
    responseId,
    serviceSessionId: kept
      ? (textOf(objectOf(response['conversation'])['id']) ?? responseId)
      : undefined,
  };
}

/** Throws what a response failed with, if it did. */
export function throwIfFailed(response: JsonObject): void {
  const { status, error } = response;
  if (isJsonObject(error)) throw reportedError(error);
  if (status !== 'failed' && status !== 'cancelled') return;
  throw new ChatClientError(`The response was ${status} by the service. Try again.`, {
    packageName: '@minne/chat-openai',
    retryable: true,
  });
}

/** A response that is still to be made is no answer, least of all an empty one. */
function throwIfUnfinished({ status }: JsonObject): void {
  if (status !== 'queued' && status !== 'in_progress') return;
  throw new ChatClientError(
    `The response is not made yet (status ${status}). This client does not wait for responses in the background; leave background out of additional.`,
    { packageName: '@minne/chat-openai', field: 'additional' },
  );
}

/** Why a response ended, in the words of Chat Completions. */
export function finishReasonOf(response: JsonObject, calls: boolean): FinishReason {
  if (response['status'] === 'incomplete') {
    const reason = textOf(objectOf(response['incomplete_details'])['reason']);
    return reason === 'max_output_tokens' ? 'length' : (reason ?? 'length');
  }
  return calls ? 'tool_calls' : 'stop';
}

function itemContents(item: JsonObject): Content[] {
  const metadata = itemMetadata(item);
  switch (item['type']) {
    case 'message': {
      const parts = objectsOf(item['content']);
      const text = parts.map((part) => textOf(part['text']) ?? '').join('');
      return [
        ...(text === '' ? [] : [{ type: 'text' as const, text, ...metadata }]),
        ...refusalContents(parts),
      ];
    }
    case 'function_call':
      return [
        {
          type: 'tool_call',
          callId: textOf(item['call_id']) ?? newCallId(),
          name: textOf(item['name']) ?? '',
          arguments: argumentsOf(item['arguments']),
          ...metadata,
        },
      ];
    case 'reasoning': {
      const text = reasoningText(item);
      const sealed = textOf(item['encrypted_content']);
      if (text === '' && sealed === undefined) return [];
      const protectedData = sealed === undefined ? {} : { protectedData: sealed };
      return [{ type: 'reasoning', text, ...protectedData, ...metadata }];
    }
    default:
      // What hosted tools did is the service's own; their results are in the message.
      return [];
  }
}

/** The refusal among the parts of a message, as a content. */
export function refusalContents(parts: readonly JsonObject[]): Content[] {
  const refusal = parts.map((part) => textOf(part['refusal']) ?? '').join('');
  return refusal === '' ? [] : [refusalContent(refusal)];
}

/** What can be read of reasoning: OpenAI summarises it, servers with open models tell all of it. */
export function reasoningText(item: JsonObject): string {
  return [...objectsOf(item['summary']), ...objectsOf(item['content'])]
    .flatMap(({ text }) => textOf(text) ?? [])
    .join(betweenParts);
}

/** Between two parts of a reasoning's text. */
export const betweenParts = '\n\n';
