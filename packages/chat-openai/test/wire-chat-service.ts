import type { ChatTestService, ScriptedReply } from '@minne/conformance/chat-client';
import type { ChatClient } from '@minne/core';
import {
  type FixedReply,
  type OpenAIWireServer,
  type ResponseReply,
  serverError,
  startOpenAIWire,
} from '@minne/openai-wire';

/** What differs between the APIs. */
interface WireDialect {
  readonly open: (server: OpenAIWireServer) => ChatClient;
  /** Chunks or events before the first piece of text has been sent. */
  readonly chunksToText: number;
  /** Token counts, as the API has them. */
  usage(input: number, output: number): ResponseReply['usage'];
}

/** The wire server as the kit's service. */
export async function startWireService(dialect: WireDialect): Promise<ChatTestService> {
  const server = await startOpenAIWire();
  return {
    open: () => dialect.open(server),
    script: (...replies) => server.enqueue(...replies.map((reply) => wireReply(reply, dialect))),
    received: () => server.requests.length,
    sent: () => JSON.stringify(server.requests.at(-1)?.body),
    idle: () => Promise.all(server.requests.map(({ outcome }) => outcome)),
    remove: () => server.close(),
  };
}

function wireReply(reply: ScriptedReply, { chunksToText, usage }: WireDialect): FixedReply {
  switch (reply.kind) {
    case 'answer': {
      const { text, reasoning, finishReason, interleaved } = reply;
      const calls = reply.toolCalls?.map(({ callId, ...call }) => ({ id: callId, ...call }));
      const counts =
        reply.usage === undefined
          ? undefined
          : usage(reply.usage.inputTokens, reply.usage.outputTokens);
      return {
        ...(text === undefined ? {} : { text }),
        ...(reasoning === undefined ? {} : { reasoning }),
        ...(calls === undefined ? {} : { toolCalls: calls }),
        ...(finishReason === undefined ? {} : { finishReason }),
        ...(counts === undefined ? {} : { usage: counts }),
        ...(interleaved === true ? { stream: { interleaveToolCalls: true } } : {}),
      };
    }
    case 'error':
      return reply.retryable ? serverError(503) : refused;
    default:
      return {
        text: reply.text,
        // Characters are cut on their way, too.
        stream: { bytesPerWrite: 5 },
        fault: { kind: reply.kind, afterChunks: chunksToText },
      };
  }
}

const refused = {
  status: 400,
  body: {
    error: { message: 'Not that.', type: 'invalid_request_error', param: null, code: null },
  },
};
