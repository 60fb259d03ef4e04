import type { AgentInputItem } from '@openai/agents';
import { describe, expect, it } from 'vitest';
import { assistant, call, reasoning, result, user } from './items.js';
import { sessionStore } from './session-store.js';

const item = (text: string): AgentInputItem => JSON.parse(text);
const approvalRequest = item(
  '{"type":"hosted_tool_call","name":"mcp_approval_request","id":"mcpr_1","providerData":{"type":"mcp_approval_request","id":"mcpr_1"}}',
);
const approvalResponse = item(
  '{"type":"hosted_tool_call","name":"mcp_approval_response","providerData":{"approval_request_id":"mcpr_1","approve":true}}',
);
const ofProgram = (type: string, callId: string) =>
  item(JSON.stringify({ type, callId, name: 'add', caller: { type: 'program', callerId: 'p' } }));
const typed = (type: string, callId: string) => item(JSON.stringify({ type, callId }));

/** Items, and the group of each as a letter, in the order in which the groups come up. */
const cases: readonly (readonly [string, readonly AgentInputItem[], string])[] = [
  ['messages are apart', [user('1'), assistant('2'), assistant('3'), user('4')], 'abcd'],
  ['a call and its result', [user('1'), call('c'), result('c'), assistant('2')], 'abbc'],
  ['parallel calls', [call('c'), call('d'), result('d'), result('c')], 'aaaa'],
  ['calls one after the other', [call('c'), result('c'), call('d'), result('d')], 'aabb'],
  [
    'an id used again, first in first out',
    [call('c'), user('1'), call('c'), user('2'), result('c'), user('3'), result('c')],
    'abcdaec',
  ],
  ['two results of one call', [call('c'), result('c'), result('c')], 'aaa'],
  ['a result without a call', [user('1'), result('c'), assistant('2')], 'abc'],
  ['a late result', [call('c'), user('1'), assistant('2'), result('c')], 'abca'],
  ['reasoning and an answer', [user('1'), reasoning('r'), assistant('2'), user('3')], 'abbc'],
  [
    'reasoning, a remark and calls',
    [
      reasoning('r'),
      assistant('1'),
      call('c'),
      call('d'),
      result('c'),
      result('d'),
      assistant('2'),
    ],
    'aaaaaab',
  ],
  [
    'reasoning before each call',
    [reasoning('r'), call('c'), result('c'), reasoning('s'), call('d'), result('d')],
    'aaabbb',
  ],
  ['reasoning that leads to nothing', [reasoning('r'), user('1')], 'ab'],
  [
    'a hosted tool',
    [reasoning('r'), item('{"type":"hosted_tool_call","name":"web_search_call"}'), assistant('1')],
    'aaa',
  ],
  ['an approval of a hosted tool', [approvalRequest, user('1'), approvalResponse], 'aba'],
  [
    'the kinds of calls, though they share an id',
    [
      typed('computer_call', 'c'),
      user('1'),
      typed('shell_call', 'c'),
      user('2'),
      typed('apply_patch_call', 'c'),
      user('3'),
      typed('shell_call_output', 'c'),
      typed('computer_call_result', 'c'),
      typed('apply_patch_call_output', 'c'),
    ],
    'abcdefcae',
  ],
  [
    'a program and what it called',
    [
      typed('program', 'p'),
      ofProgram('function_call', 'c'),
      ofProgram('function_call_result', 'c'),
      ofProgram('function_call', 'd'),
      ofProgram('function_call_result', 'd'),
      typed('program_output', 'p'),
    ],
    'aaaaaa',
  ],
  [
    'a search for tools without an id',
    [
      item('{"type":"tool_search_call","arguments":{}}'),
      user('1'),
      item('{"type":"tool_search_output","tools":[]}'),
    ],
    'aba',
  ],
  [
    'a search for tools by the service',
    [
      item('{"type":"tool_search_call","execution":"server","arguments":{}}'),
      item('{"type":"tool_search_output","execution":"server","tools":[]}'),
      call('c'),
      result('c'),
    ],
    'aaaa',
  ],
  ['an unknown kind', [user('1'), item('{"type":"later"}'), user('2')], 'abc'],
  [
    'unknown kinds that are named like what every object has',
    [user('1'), item('{"type":"constructor"}'), item('{"type":"__proto__"}')],
    'abc',
  ],
];

describe.each(['at once', 'one by one, each by another process'])(
  'what goes together, added %s',
  (how) => {
    it.each(cases)('%s', async (_name, items, expected) => {
      const store = sessionStore();
      if (how === 'at once') await store.open().addItems([...items]);
      else for (const each of items) await store.open().addItems([each]);
      const { records } = await store.backend.load({
        sessionId: 'session',
        sourceId: 'openai_agents',
      });
      const letters = new Map<string, string>();
      for (const { group } of records) {
        if (!letters.has(group)) letters.set(group, 'abcdefghij'[letters.size] ?? '?');
      }
      expect(records.map(({ group }) => letters.get(group)).join('')).toBe(expected);
    });
  },
);

it('tells trimming what a record is', async () => {
  const store = sessionStore();
  await store
    .open()
    .addItems([
      item('{"role":"system","content":"s"}'),
      item('{"role":"developer","content":"d"}'),
      user('1'),
      assistant('2'),
      call('c'),
      result('c'),
      item('{"type":"compaction","encrypted_content":"x"}'),
    ]);
  const { records } = await store.backend.load({ sessionId: 'session', sourceId: 'openai_agents' });
  expect(records.map(({ kind }) => kind)).toEqual([
    'system',
    'system',
    'user',
    'assistant',
    'assistant',
    'tool',
    'summary',
  ]);
});
