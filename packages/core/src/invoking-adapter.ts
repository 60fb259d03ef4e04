import type { ContextContribution, ContextProvider } from './context-provider.js';
import type { ChatMessage } from './message.js';

/** What a provider of the older shape is told before a model is invoked. */
export interface InvokingContext {
  readonly requestMessages: readonly ChatMessage[];
  readonly signal: AbortSignal;
}

/** What it is told after. */
export interface InvokedContext {
  readonly requestMessages: readonly ChatMessage[];
  /** Absent when the run failed or was aborted. */
  readonly responseMessages: readonly ChatMessage[] | undefined;
  /** What the run failed of, or the reason it was aborted for. */
  readonly error: unknown;
}

/** A context provider of the older shape, with hooks round each invocation. */
export interface InvokingProvider {
  invoking?(context: InvokingContext): Promise<ContextContribution | undefined>;
  invoked?(context: InvokedContext): Promise<void>;
}

/**
 * A provider of the older shape as a {@link ContextProvider}: `invoking` becomes `beforeRun`, and
 * `invoked`, which is called whatever came of the run, becomes `afterRun`.
 */
export function adaptInvokingProvider(
  sourceId: string,
  provider: InvokingProvider,
): ContextProvider {
  return {
    specificationVersion: 'v1',
    sourceId,
    beforeRun: async ({ input }, { signal }) =>
      provider.invoking?.({ requestMessages: input, signal }),
    afterRun: async ({ input }, outcome) =>
      provider.invoked?.({
        requestMessages: input,
        responseMessages: outcome.status === 'completed' ? outcome.output : undefined,
        error:
          outcome.status === 'failed'
            ? outcome.error
            : outcome.status === 'aborted'
              ? new DOMException('The run was aborted.', 'AbortError')
              : undefined,
      }),
  };
}
