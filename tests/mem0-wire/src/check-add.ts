import { type Entities, entityFields } from './entities.js';
import { expectRecord, optionalText, refuseUnknown } from './json-checks.js';
import { WireRefusal } from './wire-refusal.js';

/** A checked request to add. */
export interface AddRequest {
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly entities: Entities;
  readonly metadata: unknown;
}

/** What `add` of `MemoryClient` 3 may send; it writes the names of its options with underscores. */
const parameters: readonly string[] = [
  ...entityFields,
  'messages',
  'metadata',
  'infer',
  'custom_categories',
  'custom_instructions',
  'agent_custom_instructions',
  'timestamp',
  'expiration_date',
  'structured_data_schema',
];

/**
 * Checks the body of `POST /v3/memories/add/`: messages with a role and a text, at least one, and at least
 * one entity id beside them (https://docs.mem0.ai/api-reference/memory/add-memories).
 *
 * @throws WireRefusal
 */
export function readAddRequest(body: unknown): AddRequest {
  const request = expectRecord(body, 'The body');
  refuseUnknown(request, parameters, 'add');
  const { messages, metadata = null, infer = true } = request;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new WireRefusal('messages must be a non-empty list.');
  }
  if (typeof infer !== 'boolean') throw new WireRefusal('infer must be true or false.');
  if (metadata !== null) expectRecord(metadata, 'metadata');
  const entities: Entities = Object.fromEntries(
    entityFields.flatMap((field) => {
      const id = optionalText(request[field], field);
      return id === undefined ? [] : [[field, id]];
    }),
  );
  if (Object.keys(entities).length === 0) {
    throw new WireRefusal(`At least one of ${entityFields.join(', ')} is required.`);
  }
  return { messages: messages.map(readMessage), entities, metadata };
}

function readMessage(value: unknown): { readonly role: string; readonly content: string } {
  const { role, content, ...others } = expectRecord(value, 'A message');
  if (role !== 'user' && role !== 'assistant') {
    throw new WireRefusal('The role of a message must be user or assistant.');
  }
  if (typeof content !== 'string' || content.trim() === '') {
    throw new WireRefusal('The content of a message must be a non-empty string.');
  }
  refuseUnknown(others, [], 'A message');
  return { role, content };
}
