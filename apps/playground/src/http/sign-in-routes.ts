import { MemoryError } from '@minne/core/memory';
import { Hono } from 'hono';
import { type SignIn, signInLink } from '../sign-in.js';
import { bearerToken, type Credentials } from './credentials.js';
import { readJsonObject, requireText } from './json-body.js';

/** What the routes of signing in work with. */
export interface SignInRoutesOptions {
  readonly signIn: SignIn;
  readonly credentials: Credentials;
}

/** `POST /sign-in`, `/sign-out`, and `/links` for the holder of the admin token. */
export function signInRoutes({ signIn, credentials }: SignInRoutesOptions): Hono {
  return new Hono()
    .post('/sign-in', async (context) => {
      const code = requireText(await readJsonObject(context), 'code', 256);
      const granted = signIn.exchange(code);
      if (granted === undefined) {
        throw new MemoryError(
          'UNAUTHENTICATED',
          'This link was used before or is too old. Press Enter in the terminal for a new one.',
        );
      }
      return context.json({ token: granted.token, idle_milliseconds: granted.idleTime });
    })
    .post('/sign-out', credentials.require('page'), (context) => {
      signIn.signOut(bearerToken(context.req.raw) ?? '');
      return context.json({});
    })
    .post('/links', credentials.require('admin'), (context) => {
      const { origin } = new URL(context.req.url);
      return context.json({ link: signInLink(origin, signIn.issueCode()) });
    });
}
