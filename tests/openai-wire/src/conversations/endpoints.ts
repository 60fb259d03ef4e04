import {
  checkMembers,
  expectArray,
  expectObject,
  nullable,
  object,
  type UncheckedObject,
} from '../checks.js';
import type { Endpoint, EndpointContext } from '../endpoint.js';
import { checkItems } from '../responses/check-items.js';
import { conversationNotFound } from '../responses/effective-input.js';
import type { ServiceMemory, StoredConversation } from '../service-memory.js';
import { WireRefusal } from '../wire-refusal.js';
import { ownerOf, type WireRequest } from '../wire-request.js';
import { conversationItem, listItems } from './conversation-items.js';

/** Items that one request may bring (`items` of `CreateConversationBody`). */
const mostItems = 20;

/** Conversations and their items. */
export function conversationEndpoints({ memory }: EndpointContext): Endpoint[] {
  return [...wholeConversations(memory), ...singleItems(memory)];
}

function wholeConversations(memory: ServiceMemory): Endpoint[] {
  return [
    {
      method: 'POST',
      path: /^\/conversations$/,
      answer: (request, exchange) => {
        const body = expectObject(request.body, 'body');
        checkMembers(body, '', {
          optional: { items: nullable(checkNewItems), metadata: nullable(object) },
        });
        const conversation: StoredConversation = {
          id: memory.nextId('conv'),
          createdAt: Math.floor(Date.now() / 1000),
          metadata: body['metadata'] ?? {},
          items: newItems(body['items'] ?? [], memory),
          locked: false,
        };
        memory.keepConversation(ownerOf(request), conversation);
        exchange.send({ status: 200, body: conversationBody(conversation) });
      },
    },
    {
      method: 'GET',
      path: /^\/conversations\/([^/]+)$/,
      answer: (request, exchange, [id]) => {
        exchange.send({ status: 200, body: conversationBody(found(memory, request, id)) });
      },
    },
    {
      method: 'DELETE',
      path: /^\/conversations\/([^/]+)$/,
      answer: (request, exchange, [id]) => {
        const conversation = found(memory, request, id);
        memory.deleteConversation(ownerOf(request), conversation.id);
        const body = { id: conversation.id, object: 'conversation.deleted', deleted: true };
        exchange.send({ status: 200, body });
      },
    },
  ];
}

function singleItems(memory: ServiceMemory): Endpoint[] {
  return [
    {
      method: 'POST',
      path: /^\/conversations\/([^/]+)\/items$/,
      answer: (request, exchange, [id]) => {
        const body = expectObject(request.body, 'body');
        checkMembers(body, '', { required: { items: checkNewItems } });
        const conversation = found(memory, request, id);
        const added = newItems(body['items'], memory);
        conversation.items = [...conversation.items, ...added];
        exchange.send({ status: 200, body: listItems(added, new URLSearchParams()) });
      },
    },
    {
      method: 'GET',
      path: /^\/conversations\/([^/]+)\/items$/,
      answer: (request, exchange, [id]) => {
        const { items } = found(memory, request, id);
        const { searchParams } = new URL(request.path, 'http://localhost');
        // `order` of the API reference: the newest come first.
        const order = searchParams.get('order') === 'asc' ? items : items.toReversed();
        exchange.send({ status: 200, body: listItems(order, searchParams) });
      },
    },
    {
      method: 'DELETE',
      path: /^\/conversations\/([^/]+)\/items\/([^/]+)$/,
      answer: (request, exchange, [id, itemId]) => {
        const conversation = found(memory, request, id);
        const rest = conversation.items.filter((item) => item['id'] !== itemId);
        if (rest.length === conversation.items.length) {
          throw new WireRefusal(`Item with id '${String(itemId)}' not found.`, { status: 404 });
        }
        conversation.items = rest;
        exchange.send({ status: 200, body: conversationBody(conversation) });
      },
    },
  ];
}

/** `items`, without references and without what only answers have. */
function checkNewItems(value: unknown, path: string): void {
  if (Array.isArray(value) && value.length > mostItems) {
    throw new WireRefusal(
      `Invalid '${path}': array too long. Expected an array with maximum length ${mostItems}, but got an array with length ${value.length} instead.`,
      { param: path, code: 'array_above_max_length' },
    );
  }
  checkItems(value, path, { outputMembers: false, references: false });
}

function newItems(value: unknown, memory: ServiceMemory): readonly UncheckedObject[] {
  return expectArray(value, 'items').map((item) =>
    conversationItem(expectObject(item, 'items'), memory),
  );
}

function found(
  memory: ServiceMemory,
  request: WireRequest,
  id: string | undefined,
): StoredConversation {
  const conversation = memory.conversation(ownerOf(request), id ?? '');
  if (conversation === undefined) throw conversationNotFound(id ?? '');
  return conversation;
}

/** `ConversationResource`. */
function conversationBody({ id, createdAt, metadata }: StoredConversation): UncheckedObject {
  return { id, object: 'conversation', created_at: createdAt, metadata };
}
