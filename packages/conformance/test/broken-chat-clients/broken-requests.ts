import type { ChatMessage, ChatOptions, Content } from '@minne/core';
import { ReferenceChatClient } from '../reference-chat-client.js';

/** Changes what is sent. */
abstract class ChangesRequests extends ReferenceChatClient {
  protected abstract changed(
    messages: readonly ChatMessage[],
    options: ChatOptions,
  ): readonly [readonly ChatMessage[], ChatOptions];

  protected override send(
    messages: readonly ChatMessage[],
    options: ChatOptions,
    stream: boolean,
  ): Promise<Response> {
    return super.send(...this.changed(messages, options), stream);
  }
}

/** Sends only what was said last, as to a service that keeps the rest. */
export class SendsTheLastMessage extends ChangesRequests {
  protected override changed(messages: readonly ChatMessage[], options: ChatOptions) {
    return [messages.slice(-1), options] as const;
  }
}

/** Puts the instructions in front of the messages, and leaves them in the options too. */
export class InstructsTwice extends ChangesRequests {
  protected override changed([first, ...rest]: readonly ChatMessage[], options: ChatOptions) {
    if (first === undefined || options.instructions === undefined) {
      return [first === undefined ? [] : [first, ...rest], options] as const;
    }
    const instructions: ChatMessage = {
      ...first,
      role: 'system',
      contents: [{ type: 'text', text: options.instructions }],
    };
    return [[instructions, first, ...rest], options] as const;
  }
}

/** Sorts the newest messages to the front. */
export class TurnsTheConversationRound extends ChangesRequests {
  protected override changed(messages: readonly ChatMessage[], options: ChatOptions) {
    return [messages.toReversed(), options] as const;
  }
}

/** Names tools, and does not say what they take. */
export class ForgetsParameters extends ChangesRequests {
  protected override changed(messages: readonly ChatMessage[], options: ChatOptions) {
    const tools = options.tools?.map((tool) => ({ ...tool, parameters: {} }));
    return [messages, { ...options, ...(tools === undefined ? {} : { tools }) }] as const;
  }
}

/** Gives every result the id of another call. */
export class SwapsCallIds extends ChangesRequests {
  protected override changed(messages: readonly ChatMessage[], options: ChatOptions) {
    return [
      messages.map((message) => ({ ...message, contents: swapped(message) })),
      options,
    ] as const;
  }
}

/** Says that a tool failed, and not why. */
export class HidesErrors extends ChangesRequests {
  protected override changed(messages: readonly ChatMessage[], options: ChatOptions) {
    const hidden = messages.map((message) => ({
      ...message,
      contents: message.contents.map(
        (content): Content =>
          content.type === 'tool_result' && content.error !== undefined
            ? { ...content, error: 'The tool failed.' }
            : content,
      ),
    }));
    return [hidden, options] as const;
  }
}

function swapped({ contents }: ChatMessage): readonly Content[] {
  const ids = contents.flatMap((content) => (content.type === 'tool_result' ? content.callId : []));
  return contents.map((content) =>
    content.type === 'tool_result'
      ? { ...content, callId: ids[(ids.indexOf(content.callId) + 1) % ids.length] ?? '' }
      : content,
  );
}
