import { isJsonObject, type JsonObject, type ToolCallDelta } from '@minne/core';
import { objectOf, textOf } from './read-json.js';
import { argumentsOf, newCallId } from './response-content.js';

interface Slot {
  readonly index: number;
  /** The index that the server gave, if any. */
  readonly serverIndex: number | undefined;
  id: string | undefined;
  name: string | undefined;
  /** Arguments so far. */
  told: string;
}

/**
 * Sorts the pieces of streamed tool calls by the call they belong to, and numbers the calls.
 *
 * At OpenAI `index` tells which call a piece belongs to, and the first piece brings id and name. Others
 * leave the index out, give all calls the same, repeat id and name in each piece, or give no id.
 */
export class ToolCallSlots {
  readonly #slots: Slot[] = [];

  /** The piece in our numbering, or `undefined` when it says nothing new. */
  read(piece: JsonObject): ToolCallDelta | undefined {
    const body = objectOf(piece['function']);
    const id = textOf(piece['id']);
    const name = textOf(body['name']);
    const text = argumentsOf(body['arguments']);
    const serverIndex = typeof piece['index'] === 'number' ? piece['index'] : undefined;
    const found = this.#find(id, name, serverIndex, text);
    const slot = found ?? this.#open(serverIndex);
    const callId = slot.id === undefined ? id : undefined;
    const newName = slot.name === undefined ? name : undefined;
    slot.id ??= id;
    slot.name ??= name;
    slot.told += text;
    if (found !== undefined && callId === undefined && newName === undefined && text === '') {
      return undefined;
    }
    return {
      type: 'tool_call_delta',
      index: slot.index,
      ...(callId === undefined ? {} : { callId }),
      ...(newName === undefined ? {} : { name: newName }),
      ...(text === '' ? {} : { arguments: text }),
    };
  }

  /** Ids for the calls that came to the end without one. */
  finish(): ToolCallDelta[] {
    return this.#slots
      .filter(({ id }) => id === undefined)
      .map(({ index }) => ({ type: 'tool_call_delta', index, callId: newCallId() }));
  }

  #find(
    id: string | undefined,
    name: string | undefined,
    serverIndex: number | undefined,
    text: string,
  ): Slot | undefined {
    const sameId = this.#slots.findLast(
      (slot) =>
        id !== undefined &&
        slot.id === id &&
        (serverIndex === undefined || slot.serverIndex === serverIndex),
    );
    if (sameId !== undefined) return sameId;
    if (serverIndex === undefined) {
      return id === undefined && name === undefined ? this.#slots.at(-1) : undefined;
    }
    const sameIndex = this.#slots.findLast((slot) => slot.serverIndex === serverIndex);
    if (sameIndex === undefined || name === undefined) return sameIndex;
    const another =
      id === undefined ? beginsAnew(sameIndex, name, text) : sameIndex.id !== undefined;
    return another ? undefined : sameIndex;
  }

  #open(serverIndex: number | undefined): Slot {
    const slot: Slot = {
      index: this.#slots.length,
      serverIndex,
      id: undefined,
      name: undefined,
      told: '',
    };
    this.#slots.push(slot);
    return slot;
  }
}

/**
 * Whether a named piece without an id is of another call than the one with the same index. Servers that
 * give every call the index 0 send calls whole; those that repeat the name send pieces of one object.
 */
function beginsAnew(slot: Slot, name: string, text: string): boolean {
  if (slot.name === undefined) return false;
  return slot.name !== name || (text !== '' && isObjectText(slot.told));
}

function isObjectText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}
