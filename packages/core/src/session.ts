/**
 * What one provider or application keeps in a session: keys, ids, settings and, for history in the
 * session, its messages. Values must be JSON, or of a type that a {@link StateCodec} of the agent knows,
 * when the session is to be serialised.
 */
export type SessionState = Record<string, unknown>;

/** A conversation: only data, so that it can be written down and taken up again anywhere. */
export interface AgentSession {
  readonly sessionId: string;
  /** On whose behalf the conversation is held. Comes from the application, never from a model. */
  readonly actorId?: string;
  /** The conversation at the model's service, when the service keeps the history. */
  serviceSessionId?: string;
  /** One slot for each provider, by its `sourceId`. */
  readonly state: Record<string, SessionState>;
}
