import type { ToolCallContent, ToolResultContent } from '../content.js';
import { MinneError } from '../errors.js';
import type { AgentSession } from '../session.js';
import { raceAbort } from './race-abort.js';
import { insideSession } from './session-lock.js';
import { jsonOfToolResult } from './tool-result.js';
import type { ToolSet } from './tool-set.js';

/** What a call is run with. */
export interface ToolExecution {
  readonly tools: ToolSet;
  readonly session: AgentSession;
  readonly signal: AbortSignal;
}

/**
 * Runs one tool call. Whatever goes wrong with it (an unknown tool, arguments that are no JSON or do
 * not fit, an exception, the time limit, a result that is no JSON) becomes an error result for the
 * model; only an abort of the run is thrown.
 */
export async function executeToolCall(
  call: ToolCallContent,
  { tools, session, signal }: ToolExecution,
): Promise<ToolResultContent> {
  const tool = tools.get(call.name);
  if (tool === undefined) {
    const known = tools.names().join(', ') || 'none';
    return errorResult(call, `There is no tool ${JSON.stringify(call.name)}. Tools: ${known}.`);
  }
  let input: unknown;
  try {
    input = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments);
  } catch {
    return errorResult(
      call,
      `The arguments are not valid JSON, so ${call.name} was not run. Send them again, complete: ${excerpt(call.arguments)}`,
    );
  }
  const limit = tool.timeout === undefined ? undefined : AbortSignal.timeout(tool.timeout);
  const toolSignal = limit === undefined ? signal : AbortSignal.any([signal, limit]);
  try {
    const output = await raceAbort(
      insideSession(session.sessionId, async () =>
        tool.execute(await tool.parse(input), {
          callId: call.callId,
          sessionId: session.sessionId,
          actorId: session.actorId,
          signal: toolSignal,
        }),
      ),
      toolSignal,
    );
    return {
      type: 'tool_result',
      callId: call.callId,
      result: jsonOfToolResult(output, call.name),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (limit?.aborted === true) {
      return errorResult(
        call,
        `${call.name} did not finish within ${tool.timeout} ms. It may or may not have taken effect.`,
      );
    }
    return errorResult(call, describe(error));
  }
}

/** A result that tells the model of a failure. */
export function errorResult(call: ToolCallContent, error: string): ToolResultContent {
  return { type: 'tool_result', callId: call.callId, result: null, error };
}

function describe(error: unknown): string {
  if (MinneError.isInstance(error) || error instanceof Error) return error.message || error.name;
  return String(error);
}

function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
