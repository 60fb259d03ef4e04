import type { OpenAIResponsesApi } from './openai-api.js';
import type {
  OpenAICommonOptions,
  OpenAIConnectionOptions,
  OpenAIInstanceOptions,
} from './openai-connection-options.js';

/** What holds with either kind of connection. */
export interface OpenAIResponsesCommonOptions extends OpenAICommonOptions {
  /**
   * Whether the service keeps conversations when neither a call nor an agent says `store`. False for
   * servers that keep nothing. Default true, as the service does it.
   */
  readonly storesByDefault?: boolean;
  /**
   * Whether the model's reasoning is asked for in encrypted form and sent back with what it led to, where
   * the service does not keep it (`store: false`). Models that do not reason refuse it. Default: for models
   * named like OpenAI's that do (`o3`, `gpt-5` and later, `codex`).
   */
  readonly encryptedReasoning?: boolean;
}

/** Options of {@link OpenAIResponsesClient}. */
export type OpenAIResponsesOptions = OpenAIResponsesCommonOptions &
  (OpenAIInstanceOptions<OpenAIResponsesApi> | OpenAIConnectionOptions);
