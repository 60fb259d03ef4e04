import type { Agent } from '@minne/core';
import { MemoryError } from '@minne/core/memory';
import type { MemoryEngine, Principal } from '@minne/memory-engine';
import { createMemoryServer } from '@minne/memory-server';
import { Hono } from 'hono';
import type { Conversations } from './conversations.js';
import { conversationRoutes } from './http/conversation-routes.js';
import { type Bearer, Credentials } from './http/credentials.js';
import { allowedHosts, jsonOnly, ownPagesOnly, secureHeaders } from './http/guards.js';
import { bodyUpTo } from './http/json-body.js';
import { type PageFiles, servePage } from './http/page-files.js';
import { problemResponse } from './http/problem.js';
import { signInRoutes } from './http/sign-in-routes.js';
import type { SignIn } from './sign-in.js';

/** What the page is told of the playground it belongs to. */
export interface About {
  /** Shown as the name of the model. */
  readonly model: string;
  readonly isDemonstration: boolean;
  readonly dataDirectory: string;
  readonly actorId: string;
  readonly storeId: string;
}

/** What the playground's server is made of. */
export interface AppOptions {
  /** The address that is listened on. */
  readonly host: string;
  readonly adminToken: string;
  readonly signIn: SignIn;
  readonly agent: Agent;
  readonly conversations: Conversations;
  readonly engine: MemoryEngine;
  /** In whose name the memory store was made. */
  readonly owner: Principal;
  readonly about: About;
  readonly page: PageFiles;
  /** Ends the answers under way when it aborts. */
  readonly signal: AbortSignal;
  /** Told of failures that no request is to blame for. */
  readonly report: (error: unknown) => void;
}

/** Bytes of the body of a request to the page's own routes; the memory API has a limit of its own. */
const maximumBodyBytes = 256 * 1024;

/** The page, its routes under `/playground`, and the memory API, all behind the same guards. */
export function createApp(options: AppOptions): Hono {
  const { host, adminToken, signIn, agent, conversations, engine, owner, about, report } = options;
  const credentials = new Credentials(adminToken, signIn);
  const hosts = allowedHosts(host);
  const principals: Readonly<Record<Bearer, Principal>> = {
    admin: owner,
    page: { ...owner, isAdmin: false },
  };
  const memory = createMemoryServer(engine, {
    allowedHosts: hosts,
    authenticate: (token) => {
      const bearer = credentials.identify(token);
      return bearer === undefined ? undefined : principals[bearer];
    },
    onError: report,
  });

  const own = new Hono();
  own.use(bodyUpTo(maximumBodyBytes));
  own.route('/', signInRoutes({ signIn, credentials }));
  own.use(credentials.require());
  own.get('/about', (context) =>
    context.json({
      model: about.model,
      is_demonstration: about.isDemonstration,
      data_directory: about.dataDirectory,
      actor_id: about.actorId,
      store_id: about.storeId,
    }),
  );
  own.route(
    '/',
    conversationRoutes({
      agent,
      conversations,
      actorId: about.actorId,
      signal: options.signal,
      report,
    }),
  );

  const app = new Hono();
  app.use(secureHeaders());
  app.use(ownPagesOnly(hosts));
  app.use(jsonOnly());
  app.route('/playground', own);
  app.all('/api/*', (context) => memory.fetch(context.req.raw));
  app.use(servePage(options.page));
  app.notFound(() => {
    throw new MemoryError('NOT_FOUND', 'There is nothing at this address.');
  });
  app.onError((error) => problemResponse(error, report));
  return app;
}
