import type { JsonSchema } from './chat-client.js';

/** What a tool is told beside its arguments. None of it comes from the model. */
export interface ToolContext {
  readonly callId: string;
  readonly sessionId: string;
  readonly actorId: string | undefined;
  /** Aborts when the run does, or when the tool's time is up. */
  readonly signal: AbortSignal;
}

/** Something a model may ask to be run. Make one with {@link defineTool}. */
export interface Tool {
  readonly specificationVersion: 'v1';
  /** 1 to 64 characters of `A-Z a-z 0-9 _ -`: what every service accepts. */
  readonly name: string;
  /** Tells the model what it does and when to use it. */
  readonly description: string;
  readonly parameters: JsonSchema;
  /** Whether each call waits for a person's consent. Default false. */
  readonly requiresApproval?: boolean;
  /** Milliseconds after which the call becomes an error result. Default: no limit. */
  readonly timeout?: number;
  /**
   * Checks the parsed arguments before {@link execute} sees them.
   * @throws InvalidInputError whose message is told to the model.
   */
  parse(input: unknown): unknown | Promise<unknown>;
  /** Does the work. What it returns must be JSON (`undefined` becomes null); what it throws is told to the model. */
  execute(input: unknown, context: ToolContext): unknown | Promise<unknown>;
}
