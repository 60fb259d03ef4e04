import type { ToolCallContent, ToolResultContent } from '../content.js';
import type { Tell } from './model-call.js';
import { errorResult, executeToolCall, type ToolExecution } from './tool-execution.js';

const cutShort =
  'The run was stopped before this call finished. It may or may not have taken effect; check before doing it again.';

/** The tool calls of one answer, run side by side. */
export class ToolRound {
  readonly #calls: readonly ToolCallContent[];
  readonly #tell: Tell;
  readonly #results = new Map<ToolCallContent, ToolResultContent>();

  constructor(calls: readonly ToolCallContent[], tell: Tell) {
    this.#calls = calls;
    this.#tell = tell;
  }

  /** Settles a call without running it. */
  settle(call: ToolCallContent, error: string): Promise<void> | undefined {
    return this.#record(call, errorResult(call, error));
  }

  /** Runs the calls that are not settled and tells of each as it finishes. Throws only when the run aborts. */
  async execute(execution: ToolExecution): Promise<void> {
    const open = this.#calls.filter((call) => !this.#results.has(call));
    await Promise.all(
      open.map(async (call) => this.#record(call, await executeToolCall(call, execution))),
    );
  }

  /** One result for each call, in the order of the calls; those that are missing say so. */
  results(): ToolResultContent[] {
    return this.#calls.map((call) => this.#results.get(call) ?? errorResult(call, cutShort));
  }

  #record(call: ToolCallContent, toolResult: ToolResultContent): Promise<void> | undefined {
    this.#results.set(call, toolResult);
    return this.#tell?.({ type: 'tool-result', name: call.name, toolResult });
  }
}
