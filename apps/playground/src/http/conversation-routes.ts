import { type Agent, type RunEvent, uuidv7 } from '@minne/core';
import { invalidParameter } from '@minne/core/memory';
import { type Context, Hono } from 'hono';
import type { Conversations } from '../conversations.js';
import { explainFailure } from '../explain-failure.js';
import { type RunningAnswer, RunningAnswers } from '../running-answers.js';
import { readJsonObject, requireText } from './json-body.js';
import { ndjsonResponse } from './ndjson.js';

/** What the routes of conversations work with. */
export interface ConversationRoutesOptions {
  readonly agent: Agent;
  readonly conversations: Conversations;
  /** In whose name everything is done. Never taken from a request. */
  readonly actorId: string;
  /** Ends the runs under way when it aborts. */
  readonly signal: AbortSignal;
  /** Told of failures that are not the caller's. */
  readonly report: (error: unknown) => void;
}

/** Bytes that a person may write at once. */
const maximumTextBytes = 32 * 1024;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const pageSize = 100;

/**
 * `GET /sessions` lists, `POST /sessions` gives the id of a new one (it is stored with its first
 * message), `GET /sessions/{id}/messages` reads, `POST` there writes and streams the answer, and
 * `POST /sessions/{id}/stop` ends the answers under way.
 */
export function conversationRoutes(options: ConversationRoutesOptions): Hono {
  const { agent, conversations, actorId, report } = options;
  const running = new RunningAnswers(options.signal);
  return new Hono()
    .get('/sessions', async (context) => {
      const page = await conversations.list(
        context.req.query('page_token'),
        context.req.raw.signal,
      );
      return context.json({
        sessions: page.conversations.map(({ sessionId, title, updatedAt }) => ({
          session_id: sessionId,
          title,
          update_time: updatedAt,
        })),
        ...(page.nextPageToken === undefined ? {} : { next_page_token: page.nextPageToken }),
      });
    })
    .post('/sessions', (context) => context.json({ session_id: uuidv7() }))
    .get('/sessions/:id/messages', async (context) => {
      const before = context.req.query('before');
      const page = await conversations.messages(sessionIdOf(context), {
        limit: pageSize,
        ...(before === undefined ? {} : { before: sequence(before) }),
        signal: context.req.raw.signal,
      });
      return context.json({
        messages: page.messages,
        damaged: page.damaged.length,
        // A short page is the first one; a full one may have others before it.
        ...(page.messages.length + page.damaged.length < pageSize
          ? {}
          : { before: page.firstSequence }),
      });
    })
    .post('/sessions/:id/messages', async (context) => {
      const sessionId = sessionIdOf(context);
      const text = requireText(await readJsonObject(context), 'text', maximumTextBytes);
      const session = agent.createSession({ sessionId, actorId });
      const answer = running.begin(sessionId, context.req.raw.signal);
      const events = agent.runStream(text, { session, signal: answer.signal });
      return ndjsonResponse(toLines(events, answer, report), () => answer.stop());
    })
    .post('/sessions/:id/stop', (context) => {
      running.stop(sessionIdOf(context));
      return context.json({});
    });
}

/** The events of a run as values that JSON can carry; a failure ends them with a sentence. */
async function* toLines(
  events: AsyncIterable<RunEvent>,
  answer: RunningAnswer,
  report: (error: unknown) => void,
): AsyncGenerator<unknown> {
  try {
    for await (const event of events) if (event.type !== 'error') yield event;
  } catch (error) {
    if (answer.signal.aborted) {
      yield { type: 'error', message: 'The answer was stopped.' };
    } else {
      const failure = explainFailure(error);
      if (failure.isUnexpected) report(error);
      yield { type: 'error', message: failure.message };
    }
  } finally {
    answer.end();
  }
}

function sessionIdOf(context: Context): string {
  const id = context.req.param('id') ?? '';
  if (!uuid.test(id)) throw invalidParameter('session_id', 'is not one that was given out here.');
  return id;
}

function sequence(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw invalidParameter('before', 'must be a whole number.');
  return Number(text);
}
