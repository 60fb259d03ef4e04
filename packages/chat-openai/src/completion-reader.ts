import {
  ChatClientError,
  type ChatResponse,
  type Content,
  isJsonObject,
  type JsonObject,
  type ToolCallContent,
} from '@minne/core';
import { objectOf, objectsOf, textOf } from './read-json.js';
import { argumentsOf, newCallId, refusalContent, spokenOf, usageOf } from './response-content.js';

/** Reads a completion. @throws ChatClientError when it is none. */
export function readCompletion(completion: unknown): ChatResponse {
  const choice = isJsonObject(completion) ? objectsOf(completion['choices'])[0] : undefined;
  if (!isJsonObject(completion) || choice === undefined) {
    throw new ChatClientError(
      'The answer is not a chat completion: it has no choices. Check that the base URL leads to an API that speaks Chat Completions; it usually ends in /v1.',
      { packageName: '@minne/chat-openai', field: 'baseUrl' },
    );
  }
  const contents = messageContents(objectOf(choice['message']));
  const responseId = textOf(completion['id']);
  const finishReason = textOf(choice['finish_reason']);
  const usage = usageOf(completion['usage']);
  const modelId = textOf(completion['model']);
  const metadata = responseId === undefined ? {} : { metadata: { 'minne.service_id': responseId } };
  return {
    // As in a stream, nothing said is no message.
    messages: contents.length === 0 ? [] : [{ role: 'assistant', contents, ...metadata }],
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(usage === undefined ? {} : { usage }),
    ...(modelId === undefined ? {} : { modelId }),
    ...(responseId === undefined ? {} : { responseId }),
  };
}

function messageContents(message: JsonObject): Content[] {
  const { text, reasoning } = spokenOf(message);
  const refusal = textOf(message['refusal']);
  return [
    ...(reasoning === '' ? [] : [{ type: 'reasoning', text: reasoning } as const]),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...objectsOf(message['tool_calls']).map(toolCall),
    ...(refusal === undefined ? [] : [refusalContent(refusal)]),
  ];
}

function toolCall(call: JsonObject): ToolCallContent {
  const body = objectOf(call['function']);
  return {
    type: 'tool_call',
    callId: textOf(call['id']) ?? newCallId(),
    name: textOf(body['name']) ?? '',
    arguments: argumentsOf(body['arguments']),
  };
}
