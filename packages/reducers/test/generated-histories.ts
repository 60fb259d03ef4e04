import {
  type ChatMessage,
  type Content,
  type JsonObject,
  type Role,
  sourceMetadataKey,
} from '@minne/core';
import fc from 'fast-check';

/** Something that happens in a conversation. */
type Happening =
  | {
      readonly kind: 'say';
      readonly role: Role;
      readonly text: string;
      readonly incomplete: boolean;
    }
  | {
      readonly kind: 'call';
      readonly ids: readonly string[];
      readonly thinks: boolean;
      readonly incomplete: boolean;
    }
  | { readonly kind: 'answer'; readonly ids: readonly string[]; readonly role: 'tool' | 'user' }
  | { readonly kind: 'ask' | 'consent'; readonly id: string; readonly says: boolean }
  | { readonly kind: (typeof otherKinds)[number] };

const otherKinds = ['think', 'nothing', 'later', 'picture', 'summary', 'context'] as const;

/** Few, so that they are reused. */
const callId = fc.constantFrom('c0', 'c1', 'c2', 'c3', 'c4');
const text = fc.oneof(
  { weight: 12, arbitrary: fc.string({ maxLength: 12, unit: 'grapheme' }) },
  { weight: 1, arbitrary: fc.constant('huge '.repeat(400)) },
);
const rarely = fc.integer({ min: 0, max: 4 }).map((number) => number === 0);

const happening: fc.Arbitrary<Happening> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      role: fc.constantFrom<Role>('user', 'user', 'assistant', 'system', 'developer', 'tool'),
      text,
      incomplete: rarely,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('call' as const),
      ids: fc.array(callId, { minLength: 1, maxLength: 3 }),
      thinks: fc.boolean(),
      incomplete: rarely,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      ids: fc.array(callId, { minLength: 1, maxLength: 2 }),
      role: fc.constantFrom('tool' as const, 'tool' as const, 'user' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('ask' as const, 'consent' as const),
      id: callId,
      says: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom(...otherKinds) }) },
);

/** Histories in which everything happens that can: valid or not. */
export const histories: fc.Arbitrary<readonly ChatMessage[]> = historiesOf(happening);

/** Histories of nothing but what people, models and tools say. */
export const toolHistories: fc.Arbitrary<readonly ChatMessage[]> = historiesOf(
  happening.filter(
    (it) =>
      it.kind === 'call' ||
      it.kind === 'answer' ||
      (it.kind === 'say' && (it.role === 'user' || it.role === 'assistant')),
  ),
);

function historiesOf(it: fc.Arbitrary<Happening>): fc.Arbitrary<readonly ChatMessage[]> {
  return fc
    .array(it, { maxLength: 60, size: 'max' })
    .map((happenings) => happenings.map(messageOf));
}

function messageOf(happened: Happening, index: number): ChatMessage {
  const base = { id: `m${index}`, createdAt: '2026-05-01T10:00:00.000Z' };
  const said: Content = { type: 'text', text: `text ${index}` };
  switch (happened.kind) {
    case 'say':
      return {
        ...base,
        role: happened.role,
        contents: [{ type: 'text', text: happened.text }],
        ...(happened.incomplete ? { status: 'incomplete' as const } : {}),
      };
    case 'call': {
      const calls = happened.ids.map((id, place) => callOf(id, `call_${index}_${place}`));
      const thought: Content = { type: 'reasoning', text: 'I think.' };
      return {
        ...base,
        role: 'assistant',
        contents: happened.thinks ? [thought, ...calls] : calls,
        ...(happened.incomplete ? { status: 'incomplete' as const } : {}),
      };
    }
    case 'answer':
      return {
        ...base,
        role: happened.role,
        contents: happened.ids.map((id, place) => ({
          type: 'tool_result',
          callId: id,
          result: `result_${index}_${place}`,
        })),
      };
    case 'ask': {
      const toolCall = callOf(happened.id, `call_${index}_0`);
      const request: Content = { type: 'approval_request', id: `r-${happened.id}`, toolCall };
      return {
        ...base,
        role: 'assistant',
        contents: happened.says ? [toolCall, request] : [request],
      };
    }
    case 'consent': {
      const answer: Content = { type: 'approval_response', id: `r-${happened.id}`, approved: true };
      return { ...base, role: 'user', contents: happened.says ? [said, answer] : [answer] };
    }
    case 'think':
      return { ...base, role: 'assistant', contents: [{ type: 'reasoning', text: 'Hm.' }] };
    case 'nothing':
      return { ...base, role: 'assistant', contents: [] };
    case 'later':
      return { ...base, role: 'user', contents: [JSON.parse('{"type":"hologram"}')] };
    case 'picture':
      return {
        ...base,
        role: 'user',
        contents: [{ type: 'data', data: 'AAAA', mediaType: 'image/png' }],
      };
    case 'summary': {
      const range: JsonObject = { from: 'a', to: 'b', count: 3, model: 'm', promptHash: 'h' };
      return { ...base, role: 'user', contents: [said], metadata: { 'minne.summary': range } };
    }
    case 'context':
      return {
        ...base,
        role: 'user',
        contents: [said],
        metadata: { [sourceMetadataKey]: 'notes' },
      };
  }
}

function callOf(callId: string, name: string): Content & { readonly type: 'tool_call' } {
  return { type: 'tool_call', callId, name, arguments: '{}' };
}
