import { isObject, type UncheckedObject } from '../checks.js';
import type { ServiceMemory, StoredConversation } from '../service-memory.js';
import { WireRefusal } from '../wire-refusal.js';
import { checkOrder } from './check-order.js';
import { isSet } from './check-request.js';

/** What a response is made of. */
export interface EffectiveInput {
  /** Everything the model is given, in order. */
  readonly items: readonly UncheckedObject[];
  /** The part of it that came with this request. */
  readonly fresh: readonly UncheckedObject[];
  readonly conversation: StoredConversation | undefined;
}

/**
 * Puts what the service holds in front of what a checked request brings, and checks the whole.
 * @throws WireRefusal when something is not there, or does not go together.
 */
export function effectiveInput(
  request: UncheckedObject,
  owner: string,
  memory: ServiceMemory,
): EffectiveInput {
  const conversation = conversationOf(request, owner, memory);
  const earlier = conversation?.items ?? chained(request, owner, memory);
  const given = itemsOf(request['input']);
  if (given.length === 0 && earlier.length === 0) {
    throw new WireRefusal(
      'One of "input" or "previous_response_id" or \'prompt\' or \'conversation\' must be provided.',
      { code: 'missing_required_parameter' },
    );
  }
  const fresh = given.map((item) => resolved(item, owner, memory));
  checkOrder(earlier, fresh, memory, owner);
  return { items: [...earlier, ...fresh], fresh, conversation };
}

/** A text stands for one message of the user; an empty one for nothing. */
function itemsOf(input: unknown): readonly UncheckedObject[] {
  if (Array.isArray(input)) return input.filter(isObject);
  if (input === '') return [];
  return [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: input }] }];
}

function conversationOf(
  { conversation }: UncheckedObject,
  owner: string,
  memory: ServiceMemory,
): StoredConversation | undefined {
  if (!isSet(conversation)) return undefined;
  const id = String(isObject(conversation) ? conversation['id'] : conversation);
  const found = memory.conversation(owner, id);
  if (found === undefined) throw conversationNotFound(id);
  if (!found.locked) return found;
  // https://github.com/paulgmiller/careme/issues/379
  throw new WireRefusal(
    'Another process is currently operating on this conversation. Please retry in a few seconds.',
    { param: 'conversation', code: 'conversation_locked' },
  );
}

/** A conversation that was deleted, never was, or is another's. It is 404 also where it is a parameter. */
export function conversationNotFound(id: string): WireRefusal {
  return new WireRefusal(`Conversation with id '${id}' not found.`, { status: 404 });
}

/** Wording and code as seen in https://github.com/maximhq/bifrost/issues/2441; also of what was made with `store: false`. */
function chained(
  { previous_response_id: previous }: UncheckedObject,
  owner: string,
  memory: ServiceMemory,
): readonly UncheckedObject[] {
  if (!isSet(previous)) return [];
  const found = memory.response(owner, String(previous));
  if (found !== undefined) return found.items;
  throw new WireRefusal(`Previous response with id '${String(previous)}' not found.`, {
    param: 'previous_response_id',
    code: 'previous_response_not_found',
  });
}

/** Puts the kept item in place of its reference. Wording as seen in https://github.com/anomalyco/opencode/issues/7724. */
function resolved(item: UncheckedObject, owner: string, memory: ServiceMemory): UncheckedObject {
  const reference = item['type'] === 'item_reference';
  // Reasoning without its encrypted content is nothing but its id.
  const bare =
    item['type'] === 'reasoning' && isSet(item['id']) && !isSet(item['encrypted_content']);
  if (!reference && !bare) return item;
  const id = String(item['id']);
  const found = memory.item(owner, id);
  if (found !== undefined) return found;
  throw new WireRefusal(
    `Item with id '${id}' not found.${
      memory.origin(id) === undefined
        ? ''
        : ' Items are not persisted when `store` is set to false. Try again with `store` set to true, or remove this item from your input.'
    }`,
    { param: 'input', status: 404 },
  );
}
