import type { OpenAIChatApi } from './openai-api.js';
import type {
  OpenAICommonOptions,
  OpenAIConnectionOptions,
  OpenAIInstanceOptions,
} from './openai-connection-options.js';

/** What holds with either kind of connection. */
export interface OpenAIChatCompletionCommonOptions extends OpenAICommonOptions {
  /** Where `maxOutputTokens` goes. `max_tokens` is for servers that do not know the newer name. Default `max_completion_tokens`. */
  readonly maxTokensParameter?: 'max_completion_tokens' | 'max_tokens';
  /** Whether streams ask for usage (`stream_options.include_usage`). False for servers that refuse it. Default true. */
  readonly streamUsage?: boolean;
  /** The role that developer messages are sent in. `system` is for servers that know no developers. Default `developer`. */
  readonly developerRole?: 'developer' | 'system';
  /**
   * Whose `authorName` is sent as `name`, brought into the letters the service takes: `input` sends
   * those of user, system and developer messages, `all` the assistant's too, `none` is for servers
   * that refuse the field. Default `input`.
   */
  readonly names?: 'input' | 'all' | 'none';
  /**
   * The field in which the model's reasoning is sent back with its messages. For servers that insist
   * on it, as DeepSeek does in thinking mode with tools; others refuse it. Default: it is not sent.
   */
  readonly reasoningField?: 'reasoning_content' | 'reasoning';
}

/** Options of {@link OpenAIChatCompletionClient}. */
export type OpenAIChatCompletionOptions = OpenAIChatCompletionCommonOptions &
  (OpenAIInstanceOptions<OpenAIChatApi> | OpenAIConnectionOptions);
