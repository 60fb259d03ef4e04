export { Agent } from './agent.js';
export type {
  AgentOptions,
  AgentToolOptions,
  ClearSessionOptions,
  CreateSessionOptions,
  GetSessionOptions,
  ModelOptions,
  RunOptions,
} from './agent-options.js';
export type { AgentResponse } from './agent-response.js';
export type {
  ChatClient,
  ChatOptions,
  ChatResponse,
  ChatResponseUpdate,
  FinishReason,
  JsonSchema,
  ToolCallDelta,
  ToolDefinition,
} from './chat-client.js';
export type {
  ChatReducer,
  ReduceOptions,
  ReduceResult,
  ReductionReport,
} from './chat-reducer.js';
export {
  type ApprovalRequestContent,
  type ApprovalResponseContent,
  type Content,
  type DataContent,
  type ErrorContent,
  type HostedFileContent,
  isKnownContent,
  type ReasoningContent,
  type TextContent,
  type ToolCallContent,
  type ToolResultContent,
  type UriContent,
  type Usage,
  type UsageContent,
} from './content.js';
export type {
  ContextContribution,
  ContextHookOptions,
  ContextProvider,
  Diagnostic,
  HistoryOwner,
  RunCompleted,
  RunContext,
  RunMessages,
  RunOutcome,
  Warning,
} from './context-provider.js';
export { type DefineToolOptions, defineTool } from './define-tool.js';
export {
  ChatClientError,
  ConfigurationError,
  ConflictError,
  hasErrorCode,
  InvalidInputError,
  MinneError,
  type MinneErrorOptions,
  StoreError,
} from './errors.js';
export {
  type AppendResult,
  type DamagedRecord,
  type HistoryBackend,
  type HistoryCallOptions,
  type HistoryFilter,
  type HistoryKey,
  type HistoryListing,
  type HistoryRecord,
  type LoadOptions,
  type LoadResult,
  type NewHistoryRecord,
  type RecordKind,
  type ReplaceOptions,
  recordVersion,
} from './history-backend.js';
export { checkExpiry, type HistoryExpiryOptions } from './history-expiry.js';
export {
  checkLoadOptions,
  checkNewRecords,
  maximumRecordIdBytes,
  numberReplacement,
  type RecordProblem,
  recordProblem,
  rememberedIdCount,
} from './history-input.js';
export {
  checkHistoryKey,
  checkId,
  encodeHistoryKey,
  type IdCheckOptions,
  maximumKeyPartBytes,
} from './history-key.js';
export type {
  HistoryContribution,
  HistoryFlags,
  HistoryPage,
  HistoryProviderOptions,
  ReadHistoryOptions,
  ReducedHistory,
  ReducerTrigger,
  UnfinishedRunPolicy,
} from './history-options.js';
export { HistoryProvider, sourceMetadataKey } from './history-provider.js';
export { type Clock, type IdGenerator, systemClock, timestamp, uuidv7 } from './identity.js';
export {
  adaptInvokingProvider,
  type InvokedContext,
  type InvokingContext,
  type InvokingProvider,
} from './invoking-adapter.js';
export {
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  toJsonValue,
} from './json.js';
export {
  type ChatMessage,
  type ChatMessageInit,
  createInputMessages,
  createMessage,
  type MessageInput,
  messageText,
  parseMessage,
  type Role,
} from './message.js';
export type { AgentMiddleware, ModelRequest, RequestSources, RunCall } from './middleware.js';
export {
  countFixedParts,
  countMessage,
  countMessages,
  type FixedParts,
} from './reduction/fixed-parts.js';
export { isSummary, isSystem, summaryMetadataKey } from './reduction/placed-message.js';
export { type AccumulatedChange, ResponseAccumulator } from './response-accumulator.js';
export { approvalResponse } from './run/approvals.js';
export {
  AfterRunError,
  AfterRunTimeoutError,
  OutputError,
  UnfinishedRunError,
} from './run-errors.js';
export type {
  ErrorEvent,
  FinishEvent,
  RunEvent,
  TextEvent,
  ToolCallEvent,
  ToolResultEvent,
} from './run-events.js';
export type { AgentSession, SessionState } from './session.js';
export {
  deserializeSession,
  type SerializedSession,
  type SessionFormat,
  serializeSession,
} from './session-codec.js';
export {
  SessionHistoryBackend,
  type SessionHistoryBackendOptions,
} from './session-history-backend.js';
export type {
  SessionFilter,
  SessionListing,
  SessionStore,
  SessionStoreCallOptions,
  SetSessionOptions,
  StoredSession,
} from './session-store.js';
export { checkSerializedSession, type StorableSession } from './session-store-input.js';
export type { StandardIssue, StandardResult, StandardSchema } from './standard-schema.js';
export { defineStateCodec, type StateCodec, type StateCodecOptions } from './state-codec.js';
export type { TokenCounter } from './token-counter.js';
export type { Tool, ToolContext } from './tool.js';
export {
  checkMaxMessages,
  groupsToDrop,
  type TrimmableRecord,
  type TrimmedRecords,
  type TrimPlan,
  trimRecords,
} from './trim-records.js';
