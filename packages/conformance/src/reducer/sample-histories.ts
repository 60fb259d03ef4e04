import type { ChatMessage, Content, Role } from '@minne/core';

/** Histories that are made up the same in every run. */
export class HistoryMaker {
  readonly messages: ChatMessage[] = [];
  #made = 0;

  say(role: Role, text: string, more: Partial<ChatMessage> = {}): ChatMessage {
    return this.add(role, [{ type: 'text', text }], more);
  }

  add(role: Role, contents: readonly Content[], more: Partial<ChatMessage> = {}): ChatMessage {
    this.#made += 1;
    const message: ChatMessage = {
      id: `m${this.#made}`,
      role,
      contents,
      createdAt: new Date(Date.UTC(2026, 4, 1) + this.#made * 1000).toISOString(),
      ...more,
    };
    this.messages.push(message);
    return message;
  }

  call(...callIds: readonly string[]): ChatMessage {
    return this.add('assistant', [
      { type: 'reasoning', text: 'I should look.' },
      ...callIds.map(callOf),
    ]);
  }

  answer(callId: string, text = `What ${callId} found: ${'rain '.repeat(60)}`): ChatMessage {
    return this.add('tool', [{ type: 'tool_result', callId, result: text }]);
  }
}

/** A call of a tool. */
export function callOf(callId: string): Content {
  return { type: 'tool_call', callId, name: 'look', arguments: '{"at":"sky"}' };
}

/** Turns with two parallel calls each, as a strict service has them. */
export function plainTurns(count: number, maker = new HistoryMaker()): ChatMessage[] {
  for (let turn = 1; turn <= count; turn += 1) {
    maker.say('user', `Question ${turn}`);
    maker.call(`c${turn}a`, `c${turn}b`);
    maker.answer(`c${turn}a`);
    maker.answer(`c${turn}b`);
    maker.say('assistant', `Answer ${turn}`);
  }
  return maker.messages;
}

/** The turns of another history, with ids of their own. */
export function laterTurns(count: number): ChatMessage[] {
  return plainTurns(count).map((message) => ({ ...message, id: `later-${message.id}` }));
}

/** Histories in which calls and results lie in every way they do in the field, by what is odd in them. */
export function oddHistories(): Readonly<Record<string, ChatMessage[]>> {
  return Object.fromEntries(
    Object.entries(oddities).map(([name, write]) => [name, interleaved(write)]),
  );
}

/** Something odd once in a few turns, at changing distance, so that a cut meets it somewhere. */
function interleaved(write: (maker: HistoryMaker, turn: number) => void): ChatMessage[] {
  const maker = new HistoryMaker();
  for (let turn = 1; turn <= 40; turn += 1) {
    maker.say('user', `Question ${turn}`);
    write(maker, turn);
    maker.say('assistant', `Answer ${turn}`);
  }
  return maker.messages;
}

const oddities: Readonly<Record<string, (maker: HistoryMaker, turn: number) => void>> = {
  'parallel calls, answered in another order'(maker, turn) {
    maker.call(`a${turn}`, `b${turn}`, `c${turn}`);
    for (const name of ['c', 'a', 'b']) maker.answer(`${name}${turn}`);
  },
  'calls within calls'(maker, turn) {
    maker.call(`a${turn}`);
    maker.call(`b${turn}`);
    maker.answer(`b${turn}`);
    maker.answer(`a${turn}`);
  },
  'the same ids in every turn'(maker) {
    maker.call('call_0', 'call_1');
    maker.answer('call_0');
    maker.answer('call_1');
  },
  'an id that is called again before its result has come'(maker, turn) {
    if (turn % 3 !== 0) maker.call('call_0');
    if (turn % 3 !== 1) maker.answer('call_0');
  },
  'calls that were never answered'(maker, turn) {
    maker.call(`a${turn}`, `b${turn}`);
    maker.answer(`b${turn}`);
  },
  'results that come turns later'(maker, turn) {
    maker.call(`a${turn}`);
    if (turn > 3) maker.answer(`a${turn - 3}`);
  },
  'results whose calls are nowhere'(maker, turn) {
    maker.answer(`lost${turn}`);
    maker.call(`a${turn}`);
    maker.answer(`a${turn}`);
  },
  'several results in one message'(maker, turn) {
    maker.call(`a${turn}`);
    maker.call(`b${turn}`);
    maker.add('tool', [
      { type: 'tool_result', callId: `a${turn}`, result: 'x '.repeat(200) },
      { type: 'tool_result', callId: `b${turn}`, result: { found: true } },
    ]);
  },
  'thoughts in a message of their own'(maker, turn) {
    maker.add('assistant', [{ type: 'reasoning', text: '', protectedData: 'c2VhbGVk' }]);
    maker.call(`a${turn}`);
    maker.answer(`a${turn}`);
  },
  'calls that a person consented to'(maker, turn) {
    const toolCall = callOf(`a${turn}`);
    if (toolCall.type !== 'tool_call') return;
    maker.add('assistant', [
      toolCall,
      { type: 'approval_request', id: `approval${turn}`, toolCall },
    ]);
    maker.add('user', [{ type: 'approval_response', id: `approval${turn}`, approved: true }]);
    maker.answer(`a${turn}`);
  },
  'system messages all over'(maker, turn) {
    maker.say(turn % 2 === 0 ? 'system' : 'developer', `Rule ${turn}`);
    maker.call(`a${turn}`);
    maker.say('system', 'Between a call and its result.');
    maker.answer(`a${turn}`);
  },
  'messages without contents, unfinished ones, and contents of a later version'(maker, turn) {
    maker.add('assistant', [], { status: 'incomplete' });
    maker.add('user', []);
    const later: Content = JSON.parse('{"type":"hologram","size":3}');
    maker.add('assistant', [later]);
    maker.call(`a${turn}`);
    maker.answer(`a${turn}`);
  },
};
