import type { EntryWire } from '@minne/core/memory';
import { readLines } from './read-lines.js';
import type { About, AnswerEvent, MessagePage, SessionPage } from './wire.js';

/** The server refused, or did not answer. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** A memory with how well it fits a search. */
export interface FoundEntry {
  readonly entry: EntryWire;
  readonly score: number;
}

/** The memories that are shown at once; search finds the others. */
const maximumEntries = 500;

/** Talks to the server that the page came from, with the token of this tab. */
export class Api {
  readonly #token: string;

  constructor(token: string) {
    this.#token = token;
  }

  about(): Promise<About> {
    return this.#call('GET', '/playground/about');
  }

  sessions(pageToken?: string): Promise<SessionPage> {
    const query = pageToken === undefined ? '' : `?page_token=${encodeURIComponent(pageToken)}`;
    return this.#call('GET', `/playground/sessions${query}`);
  }

  async newSession(): Promise<string> {
    const made = await this.#call<{ session_id: string }>('POST', '/playground/sessions', {});
    return made.session_id;
  }

  messages(sessionId: string, before?: number): Promise<MessagePage> {
    const query = before === undefined ? '' : `?before=${before}`;
    return this.#call('GET', `/playground/sessions/${sessionId}/messages${query}`);
  }

  /** Writes to a conversation; the answer comes piece by piece. */
  async *send(sessionId: string, text: string): AsyncGenerator<AnswerEvent> {
    const { body } = await this.#fetch('POST', `/playground/sessions/${sessionId}/messages`, {
      text,
    });
    if (body === null) return;
    try {
      for await (const line of readLines(body)) yield JSON.parse(line);
    } catch {
      throw new ApiError(0, 'The connection broke off. What you wrote is kept by the server.');
    }
  }

  /** Ends the answers under way in a conversation; they are stored as far as they came. */
  async stop(sessionId: string): Promise<void> {
    await this.#call('POST', `/playground/sessions/${sessionId}/stop`, {});
  }

  async signOut(): Promise<void> {
    await this.#call('POST', '/playground/sign-out', {});
  }

  async entries(about: About): Promise<readonly EntryWire[]> {
    const entries: EntryWire[] = [];
    const query = new URLSearchParams({ actor_id: about.actor_id, page_size: '100' });
    while (entries.length < maximumEntries) {
      const page = await this.#call<{
        managed_memory_entries?: EntryWire[];
        next_page_token?: string;
      }>('GET', `${storePath(about)}/entries?${query}`);
      entries.push(...(page.managed_memory_entries ?? []));
      if (page.next_page_token === undefined) break;
      query.set('page_token', page.next_page_token);
    }
    return entries;
  }

  async search(about: About, query: string): Promise<readonly FoundEntry[]> {
    const found = await this.#call<{
      results?: { managed_memory_entry: EntryWire; score: number }[];
    }>('POST', `${storePath(about)}/entries:search`, {
      actor_id: about.actor_id,
      query,
      page_size: 50,
    });
    return (found.results ?? []).map(({ managed_memory_entry: entry, score }) => ({
      entry,
      score,
    }));
  }

  async forget(entry: EntryWire): Promise<void> {
    try {
      await this.#call('DELETE', `/api/2.0/agents/${entry.name}`);
    } catch (error) {
      // The agent or another tab was quicker.
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
    }
  }

  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const response = await this.#fetch(method, path, body);
    return response.json();
  }

  async #fetch(method: string, path: string, body?: object): Promise<Response> {
    try {
      return await request(method, path, body, { Authorization: `Bearer ${this.#token}` });
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      // What to do about it stands on the page.
      throw new ApiError(401, 'You are no longer signed in.');
    }
  }
}

/** Turns the one-time code of a link into a token. */
export async function exchangeCode(code: string): Promise<string> {
  const response = await request('POST', '/playground/sign-in', { code });
  const { token } = (await response.json()) as { readonly token: string };
  return token;
}

async function request(
  method: string,
  path: string,
  body: object | undefined,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new ApiError(
      0,
      `The server does not answer (${error instanceof Error ? error.message : error}). Start it again with npm start.`,
    );
  }
  if (response.ok) return response;
  throw new ApiError(response.status, await messageOf(response));
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'message' in body) return String(body.message);
  } catch {
    // Not an answer of this server: the status has to do.
  }
  return `The server answered with status ${response.status}.`;
}

function storePath(about: About): string {
  return `/api/2.0/agents/memory-stores/${about.store_id}`;
}
