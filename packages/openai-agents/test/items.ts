import type { AgentInputItem } from '@openai/agents';

/** What a user says. */
export function user(text: string): AgentInputItem {
  return { type: 'message', role: 'user', content: text };
}

/** What the model says. */
export function assistant(text: string, id?: string): AgentInputItem {
  return {
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
    ...(id === undefined ? {} : { id }),
  };
}

/** A call of a function. */
export function call(callId: string, name = 'add'): AgentInputItem {
  return { type: 'function_call', callId, name, status: 'completed', arguments: '{"a":1}' };
}

/** What a function gave. */
export function result(callId: string, output = 'done', name = 'add'): AgentInputItem {
  return { type: 'function_call_result', callId, name, status: 'completed', output };
}

/** A thought. */
export function reasoning(id: string): AgentInputItem {
  return { type: 'reasoning', id, content: [{ type: 'input_text', text: 'Hm.' }] };
}

/** The texts of messages, and of others the type. */
export function outline(items: readonly AgentInputItem[]): string[] {
  return items.map((item) => {
    if ('role' in item) {
      if (typeof item.content === 'string') return item.content;
      return item.content.map((part) => ('text' in part ? part.text : part.type)).join('');
    }
    return 'callId' in item ? `${item.type} ${item.callId}` : item.type;
  });
}
