import {
  ChatClientError,
  type ChatResponseUpdate,
  isJsonObject,
  type JsonObject,
} from '@minne/core';
import { itemMetadata } from './item-metadata.js';
import { objectOf, objectsOf, textOf } from './read-json.js';
import { argumentsOf, newCallId, usageOf } from './response-content.js';
import {
  betweenParts,
  finishReasonOf,
  identityOf,
  type ResponseIdentity,
  reasoningText,
  refusalContents,
  throwIfFailed,
} from './response-reader.js';
import { reportedError } from './service-error.js';

type UpdateContent = ChatResponseUpdate['contents'][number];

/** What has come of one output item. */
interface ItemProgress {
  readonly index: number;
  item: JsonObject;
  /** Whether the whole item has come. */
  ended: boolean;
  /** Text, summary or arguments so far. */
  told: string;
  /** Which part of a reasoning's text came last. */
  part: string | undefined;
}

/** Reads the events of one streamed response. Pieces of parallel items may come in turns. */
export class ResponseEventReader {
  readonly #store: boolean;
  readonly #items = new Map<number, ItemProgress>();
  #identity: ResponseIdentity | undefined;
  #began = false;
  #finished = false;

  /** @param store - Whether the request asked for the response to be kept. */
  constructor(store: boolean) {
    this.#store = store;
  }

  /** The update that an event stands for, or `undefined` when there is nothing in it to tell. */
  read(event: unknown): ChatResponseUpdate | undefined {
    if (!isJsonObject(event)) return undefined;
    this.#began = true;
    const { type, response } = event;
    // `openai` 7 throws such an event, 6 hands it out.
    if (type === 'error')
      throw reportedError(isJsonObject(event['error']) ? event['error'] : event);
    if (isJsonObject(response)) return this.#readResponse(response, type);
    const contents = this.#contents(event);
    return contents.length === 0 ? undefined : this.#update(contents);
  }

  /** @throws ChatClientError when the service never said that it was finished. */
  finish(): undefined {
    if (this.#finished) return undefined;
    throw unfinished(this.#began);
  }

  #readResponse(response: JsonObject, type: unknown): ChatResponseUpdate | undefined {
    throwIfFailed(response);
    const first = this.#identity === undefined;
    this.#identity ??= identityOf(response, this.#store);
    if (type === 'response.completed' || type === 'response.incomplete') {
      this.#finished = true;
      const rest = this.#rest(objectsOf(response['output']));
      const calls = [...this.#items.values()].some(({ item }) => item['type'] === 'function_call');
      const usage = usageOf(response['usage']);
      return {
        ...this.#update([
          ...rest,
          ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
        ]),
        finishReason: finishReasonOf(response, calls),
      };
    }
    // The first event tells how the conversation can be continued, before anything is said.
    return first ? this.#update([]) : undefined;
  }

  /** The items whose own end never came: some servers tell them only with the whole response. */
  #rest(output: readonly JsonObject[]): UpdateContent[] {
    return output.flatMap((item, place) => {
      const known = this.#byId(textOf(item['id']));
      const index = known?.index ?? place;
      const there = this.#items.get(index);
      if (there?.ended || (there !== undefined && there.item['type'] !== item['type'])) return [];
      return this.#end(index, item);
    });
  }

  #byId(id: string | undefined): ItemProgress | undefined {
    if (id === undefined) return undefined;
    return [...this.#items.values()].find(({ item }) => item['id'] === id);
  }

  /** Which item an event is about: by its place, by the item's id where a server leaves the place out, else the newest. */
  #indexOf(event: JsonObject): number {
    if (typeof event['output_index'] === 'number') return event['output_index'];
    const known = this.#byId(textOf(event['item_id']) ?? textOf(objectOf(event['item'])['id']));
    if (known !== undefined) return known.index;
    const next = Math.max(-1, ...this.#items.keys()) + 1;
    return event['type'] === 'response.output_item.added' ? next : Math.max(0, next - 1);
  }

  #contents(event: JsonObject): UpdateContent[] {
    const index = this.#indexOf(event);
    const delta = textOf(event['delta']) ?? '';
    switch (event['type']) {
      case 'response.output_item.added':
        return this.#begin(index, objectOf(event['item']));
      case 'response.output_text.delta':
        return this.#tell(index, { type: 'message', id: event['item_id'] ?? '' }, delta);
      case 'response.reasoning_summary_text.delta':
        return this.#think(index, `summary ${String(event['summary_index'])}`, delta);
      case 'response.reasoning_text.delta':
        return this.#think(index, `content ${String(event['content_index'])}`, delta);
      case 'response.function_call_arguments.delta':
        return this.#tell(index, { type: 'function_call' }, delta);
      case 'response.output_item.done':
        return this.#end(index, objectOf(event['item']));
      default:
        return [];
    }
  }

  #begin(index: number, item: JsonObject): UpdateContent[] {
    if (this.#items.has(index)) return [];
    this.#items.set(index, { index, item, ended: false, told: '', part: undefined });
    if (item['type'] !== 'function_call') return [];
    return [
      {
        type: 'tool_call_delta',
        index,
        callId: textOf(item['call_id']) ?? newCallId(),
        ...(textOf(item['name']) === undefined ? {} : { name: String(item['name']) }),
        ...itemMetadata(item),
      },
    ];
  }

  /** The next piece of an item, which some servers do not announce. */
  #tell(index: number, unannounced: JsonObject, delta: string): UpdateContent[] {
    const begun = this.#begin(index, unannounced);
    const progress = this.#items.get(index);
    if (progress === undefined || delta === '') return begun;
    progress.told += delta;
    const { item } = progress;
    switch (item['type']) {
      case 'function_call':
        return [...begun, { type: 'tool_call_delta', index, arguments: delta }];
      case 'reasoning':
        return [...begun, { type: 'reasoning', text: delta, ...itemMetadata(item) }];
      default:
        return [...begun, { type: 'text', text: delta, ...itemMetadata(item) }];
    }
  }

  #think(index: number, part: string, delta: string): UpdateContent[] {
    if (delta === '') return [];
    const before = this.#items.get(index)?.part;
    const told = this.#tell(
      index,
      { type: 'reasoning' },
      before === undefined || before === part ? delta : betweenParts + delta,
    );
    const progress = this.#items.get(index);
    if (progress !== undefined) progress.part = part;
    return told;
  }

  /** What came only with the whole item: all of it from servers that send no pieces, the seal, a refusal. */
  #end(index: number, item: JsonObject): UpdateContent[] {
    const begun = this.#begin(index, item);
    const progress = this.#items.get(index);
    if (progress === undefined) return begun;
    progress.item = item;
    progress.ended = true;
    const metadata = itemMetadata(item);
    const missing = progress.told === '' ? this.#tell(index, item, wholeOf(item)) : [];
    switch (item['type']) {
      case 'message':
        return [...begun, ...missing, ...refusalContents(objectsOf(item['content']))];
      case 'reasoning': {
        const sealed = textOf(item['encrypted_content']);
        if (sealed === undefined) return [...begun, ...missing];
        const seal = { type: 'reasoning' as const, text: '', protectedData: sealed, ...metadata };
        return [...begun, ...missing, seal];
      }
      default:
        return [...begun, ...missing];
    }
  }

  #update(contents: readonly UpdateContent[]): ChatResponseUpdate {
    const { responseId, modelId, serviceSessionId } = this.#identity ?? {};
    return {
      contents,
      role: 'assistant',
      ...(responseId === undefined ? {} : { messageId: responseId, responseId }),
      ...(responseId === undefined ? {} : { metadata: { 'minne.service_id': responseId } }),
      ...(modelId === undefined ? {} : { modelId }),
      ...(serviceSessionId === undefined ? {} : { serviceSessionId }),
    };
  }
}

/** All that grows in an item. */
function wholeOf(item: JsonObject): string {
  switch (item['type']) {
    case 'message':
      return objectsOf(item['content'])
        .map((part) => textOf(part['text']) ?? '')
        .join('');
    case 'reasoning':
      return reasoningText(item);
    case 'function_call':
      return argumentsOf(item['arguments']);
    default:
      return '';
  }
}

function unfinished(began: boolean): ChatClientError {
  return began
    ? new ChatClientError(
        'The stream ended before the response was finished (no response.completed came). What came is not the whole answer; try again.',
        { packageName: '@minne/chat-openai', retryable: true },
      )
    : new ChatClientError(
        'The answer to a streamed request held no event. Try again; if it stays so, check that the base URL leads to an API that streams Responses; it usually ends in /v1.',
        { packageName: '@minne/chat-openai', field: 'baseUrl', retryable: true },
      );
}
