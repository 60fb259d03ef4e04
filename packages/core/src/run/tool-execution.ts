import type { ToolCallContent, ToolResultContent } from '../content.js';
import { errorText } from '../error-text.js';
import type { AgentSession } from '../session.js';
import type { Tool, ToolContext } from '../tool.js';
import { raceAbort } from './race-abort.js';
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
  let limit: AbortSignal | undefined;
  try {
    limit = tool.timeout === undefined ? undefined : AbortSignal.timeout(tool.timeout);
    const toolSignal = limit === undefined ? signal : AbortSignal.any([signal, limit]);
    const output = await raceAbort(
      execute(tool, input, {
        callId: call.callId,
        sessionId: session.sessionId,
        actorId: session.actorId,
        signal: toolSignal,
      }),
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
    return errorResult(call, errorText(error));
  }
}

async function execute(tool: Tool, input: unknown, context: ToolContext): Promise<unknown> {
  return tool.execute(await tool.parse(input), context);
}

/** A result that tells the model of a failure. */
export function errorResult(call: ToolCallContent, error: string): ToolResultContent {
  return { type: 'tool_result', callId: call.callId, result: null, error };
}

function excerpt(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters)`;
}
