import type { ChatResponse, ChatResponseUpdate, Content } from '@minne/core';
import { ReferenceChatClient } from '../reference-chat-client.js';
import type { WireAnswer } from '../reference-chat-service.js';

/** Changes what the service has said before it is read. */
abstract class ChangesAnswers extends ReferenceChatClient {
  protected abstract change(answer: WireAnswer): WireAnswer;

  protected override responseOf(answer: WireAnswer): ChatResponse {
    return super.responseOf(this.change(answer));
  }

  protected override updateOf(answer: WireAnswer): ChatResponseUpdate {
    return super.updateOf(this.change(answer));
  }
}

/** Says that it keeps a contract that is not this one. */
export class KeepsAnotherContract extends ReferenceChatClient {
  override readonly specificationVersion: 'v1' = JSON.parse('"v0"');
}

/** Takes every piece of a stream for a message. */
export class SplitsMessages extends ReferenceChatClient {
  #count = 0;

  protected override updateOf(answer: WireAnswer): ChatResponseUpdate {
    return { ...super.updateOf(answer), messageId: `message ${this.#count++}` };
  }
}

/** Loses the character U+0000. */
export class LosesNul extends ChangesAnswers {
  protected override change(answer: WireAnswer): WireAnswer {
    return answer.text === undefined
      ? answer
      : { ...answer, text: answer.text.replaceAll('\0', '') };
  }
}

/** Has a buffer of a limited length. */
export class CutsLongAnswers extends ReferenceChatClient {
  protected override contentsOf(answer: WireAnswer): Content[] {
    return super.contentsOf({ ...answer, text: answer.text?.slice(0, 16_384) ?? '' });
  }
}

/** Takes silence for an error. */
export class ThrowsOnSilence extends ReferenceChatClient {
  protected override responseOf(answer: WireAnswer): ChatResponse {
    const response = super.responseOf(answer);
    if (response.messages.length === 0) throw new Error('There is no message.');
    return response;
  }
}

/** Takes every answer for a finished one. */
export class AlwaysStops extends ChangesAnswers {
  protected override change(answer: WireAnswer): WireAnswer {
    return answer.finish === undefined ? answer : { ...answer, finish: 'stop' };
  }
}

/** Stops reading a stream at the reason why it ended, before the usage. */
export class MissesUsage extends ReferenceChatClient {
  protected override updateOf({ usage: _, ...answer }: WireAnswer): ChatResponseUpdate {
    return super.updateOf(answer);
  }
}

/** Takes thoughts for words. */
export class ThinksAloud extends ChangesAnswers {
  protected override change({ reasoning = '', text = '', ...rest }: WireAnswer): WireAnswer {
    return { ...rest, text: reasoning + text };
  }
}

/** Parses arguments, and writes them down again. */
export class ParsesArguments extends ReferenceChatClient {
  protected override contentsOf({ calls = [], ...answer }: WireAnswer): Content[] {
    const parsed = calls.map(({ arguments: text = '', ...call }) => {
      return { ...call, arguments: isJson(text) ? JSON.stringify(JSON.parse(text)) : '{}' };
    });
    return super.contentsOf({ ...answer, calls: parsed });
  }
}

/** Takes the first call of an answer only. */
export class KeepsOneCall extends ReferenceChatClient {
  protected override contentsOf({ calls = [], ...answer }: WireAnswer): Content[] {
    return super.contentsOf({ ...answer, calls: calls.slice(0, 1) });
  }
}

/** Takes each piece of arguments for one of the call that began last. */
export class AppendsToTheLastCall extends ReferenceChatClient {
  #last = 0;

  protected override updateOf({ calls = [], ...answer }: WireAnswer): ChatResponseUpdate {
    const guessed = calls.map((call) => {
      if (call.callId !== undefined) this.#last = call.index;
      return { ...call, index: this.#last };
    });
    return super.updateOf({ ...answer, calls: guessed });
  }
}

/** Takes the text away from an answer that has calls. */
export class DropsTextBesideCalls extends ReferenceChatClient {
  protected override contentsOf(answer: WireAnswer): Content[] {
    const contents = super.contentsOf(answer);
    const calls = contents.filter(({ type }) => type === 'tool_call');
    return calls.length > 0 ? calls : contents;
  }
}

/** Says that the service keeps nothing, and that it does so unasked. */
export class StoresUnasked extends ReferenceChatClient {
  override readonly historyStorage = 'none';
  override readonly storesByDefault = true;
}

/** Makes up a conversation that the service does not keep. */
export class InventsConversations extends ChangesAnswers {
  protected override change(answer: WireAnswer): WireAnswer {
    return { ...answer, conversation: 'conversation_0' };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
