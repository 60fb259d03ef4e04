import type { ChatClient } from '../chat-client.js';
import type { HistoryOwner } from '../context-provider.js';
import { ConfigurationError } from '../errors.js';
import type { AgentSession } from '../session.js';

/** What decides who keeps the history of a run. */
export interface OwnerQuestion {
  readonly chatClient: ChatClient;
  /** `store` of the run. */
  readonly runStore: boolean | undefined;
  /** `store` of the agent. */
  readonly agentStore: boolean | undefined;
  /** The `sourceId` of the loading provider that was configured, if one was. */
  readonly loadingProvider: string | undefined;
  /** The caller's session; absent when the run was given none. */
  readonly session: AgentSession | undefined;
  /** Whether messages of the session lie in the session itself, with no provider configured. Default false. */
  readonly keepsItself?: boolean;
}

/**
 * Decides once, before anything is loaded or sent: `store` of the run, then of the agent, then a
 * loading provider that was configured, then the session when it holds its messages itself, then the
 * client's default.
 * @throws ConfigurationError when two of them cannot both hold.
 */
export function decideHistoryOwner(question: OwnerQuestion): HistoryOwner {
  const { chatClient, loadingProvider, session } = question;
  const store = question.runStore ?? question.agentStore;
  const asked = question.runStore !== undefined ? 'the run' : 'the agent';
  const continued = session?.serviceSessionId;
  if (store === true && chatClient.historyStorage === 'none') {
    throw refused(
      session,
      'store',
      `${asked} asks the service to store the conversation, but this chat client's service keeps none. Leave store out and use a history provider.`,
    );
  }
  if (store === false && chatClient.historyStorage === 'required') {
    throw refused(
      session,
      'store',
      `${asked} asks the service to store nothing, but this chat client's service always stores. Leave store out.`,
    );
  }
  if (continued !== undefined) {
    if (chatClient.historyStorage === 'none') {
      throw refused(
        session,
        'serviceSessionId',
        `the session continues the service's conversation ${continued}, but this chat client's service keeps none. Use the client that began it, or a session without serviceSessionId.`,
      );
    }
    if (store === false) {
      throw refused(
        session,
        'store',
        `${asked} asks the service to store nothing, but the session continues the service's conversation ${continued}. Leave store out, or use a session without serviceSessionId.`,
      );
    }
    if (store === undefined && loadingProvider !== undefined) {
      throw refused(
        session,
        'serviceSessionId',
        `the session continues the service's conversation ${continued}, but the provider ${loadingProvider} loads the history. Set store: true, or use a session without serviceSessionId.`,
      );
    }
    return 'service';
  }
  if (
    question.keepsItself === true &&
    (store === true || chatClient.historyStorage === 'required')
  ) {
    throw refused(
      session,
      'store',
      `the session holds its messages itself, and the service would never be sent them, but ${store === true ? `${asked} asks the service to store the conversation` : "this chat client's service always stores"}. Use a new session, or forget the messages with agent.clearSession.`,
    );
  }
  if (store === true) return 'service';
  if (store === undefined && loadingProvider === undefined && question.keepsItself !== true) {
    if (chatClient.historyStorage === 'required') return 'service';
    if (chatClient.historyStorage === 'optional' && chatClient.storesByDefault === true) {
      return 'service';
    }
  }
  return loadingProvider === undefined && session === undefined ? 'caller' : 'provider';
}

function refused(
  session: AgentSession | undefined,
  field: string,
  text: string,
): ConfigurationError {
  return new ConfigurationError(`The history of this run would have two owners: ${text}`, {
    packageName: '@minne/core',
    field,
    ...(session === undefined ? {} : { sessionId: session.sessionId }),
  });
}
