import type { AgentInputItem } from '@openai/agents';

/** What an item is to grouping. */
export type ItemRole =
  /** Something said to the model: a user or system message. */
  | 'input'
  /** The thinking that belongs to what follows it. */
  | 'reasoning'
  /** A call, whether this side or the service answers it. */
  | 'call'
  /** The answer to a call of an earlier item. */
  | 'result'
  /** Stands for all that came before it. */
  | 'compaction'
  /** Anything else that a model gives: an assistant message, an item of a kind yet unknown. */
  | 'output';

/** How a call and its result find each other. */
export interface Correlation {
  /** The same for a kind of call and for its result. */
  readonly family: string;
  /** Missing where the service gives none: results then answer the calls of their family in order. */
  readonly id: string | undefined;
}

/** An item, and how it pairs with another. */
export interface ItemPlace {
  readonly role: ItemRole;
  readonly correlation?: Correlation;
  /** The call id of the program that made this call or got this result. */
  readonly programId?: string;
}

/** The item types that carry `callId`: the calls, and what answers each. */
const results: ReadonlyMap<string, string> = new Map([
  ['function_call', 'function_call_result'],
  ['computer_call', 'computer_call_result'],
  ['shell_call', 'shell_call_output'],
  ['apply_patch_call', 'apply_patch_call_output'],
  ['program', 'program_output'],
]);

const families = new Set(results.values());

/** Fields that are read whatever the type of an item, since stored items may be of a later version. */
type ItemFields = Readonly<Record<string, unknown>>;

/** What an item is and what it pairs with, by the item types of `@openai/agents` 0.20. */
export function placeOf(item: AgentInputItem): ItemPlace {
  const fields: ItemFields = { ...item };
  const type = text(fields['type']) ?? 'message';
  const family = results.get(type);
  if (family !== undefined) return paired('call', family, fields);
  if (families.has(type)) return paired('result', type, fields);
  switch (type) {
    case 'message':
      return { role: fields['role'] === 'assistant' ? 'output' : 'input' };
    case 'reasoning':
    case 'compaction':
      return { role: type };
    case 'tool_search_call':
      return toolSearch('call', fields);
    case 'tool_search_output':
      return toolSearch('result', fields);
    case 'hosted_tool_call':
      return hosted(fields);
    default:
      return { role: 'output' };
  }
}

function paired(role: 'call' | 'result', family: string, fields: ItemFields): ItemPlace {
  const caller = object(fields['caller']);
  const programId = caller['type'] === 'program' ? text(caller['callerId']) : undefined;
  return {
    role,
    correlation: { family, id: text(fields['callId']) },
    ...(programId === undefined ? {} : { programId }),
  };
}

function toolSearch(role: 'call' | 'result', fields: ItemFields): ItemPlace {
  const data = object(fields['providerData']);
  // A search of the service comes with its result, in one answer.
  if ((fields['execution'] ?? data['execution']) === 'server') return { role: 'call' };
  const named = [data['call_id'], data['callId'], fields['call_id'], fields['callId']];
  const id = named.map(text).find((value) => value !== undefined);
  return {
    role,
    correlation: {
      family: 'tool_search_output',
      id: id ?? (role === 'call' ? text(fields['id']) : undefined),
    },
  };
}

/** Hosted tools bring call and result in one item, but for what asks for approval. */
function hosted(fields: ItemFields): ItemPlace {
  const data = object(fields['providerData']);
  const family = 'mcp_approval_response';
  const kinds = [fields['name'], data['type']];
  if (kinds.includes('mcp_approval_request')) {
    return { role: 'call', correlation: { family, id: text(data['id']) ?? text(fields['id']) } };
  }
  if (kinds.includes(family)) {
    return { role: 'result', correlation: { family, id: text(data['approval_request_id']) } };
  }
  return { role: 'call' };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function object(value: unknown): ItemFields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
