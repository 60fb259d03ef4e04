import { createHash, timingSafeEqual } from 'node:crypto';
import { MemoryError } from '@minne/core/memory';
import type { MiddlewareHandler } from 'hono';
import type { SignIn } from '../sign-in.js';

/** Who a bearer token stands for: the person at the terminal, or a page they opened. */
export type Bearer = 'admin' | 'page';

/** Tells whose token a request carries. */
export class Credentials {
  readonly #adminTokenHash: Buffer;
  readonly #signIn: SignIn;

  constructor(adminToken: string, signIn: SignIn) {
    this.#adminTokenHash = hash(adminToken);
    this.#signIn = signIn;
  }

  /** `undefined` for a token that is not good now. */
  identify(token: string): Bearer | undefined {
    if (timingSafeEqual(hash(token), this.#adminTokenHash)) return 'admin';
    return this.#signIn.verify(token) ? 'page' : undefined;
  }

  /** Lets only requests pass that carry a token which is good now, of one kind if that is said. */
  require(wanted?: Bearer): MiddlewareHandler {
    return async (context, next) => {
      const token = bearerToken(context.req.raw);
      const bearer = token === undefined ? undefined : this.identify(token);
      if (bearer === undefined) throw unauthenticated();
      if (wanted !== undefined && bearer !== wanted) {
        throw new MemoryError('PERMISSION_DENIED', `Only the ${wanted} token may do that.`);
      }
      await next();
    };
  }
}

/** The token of the `Authorization` header. */
export function bearerToken(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1];
}

function unauthenticated(): MemoryError {
  return new MemoryError(
    'UNAUTHENTICATED',
    'Sign in with a new link: press Enter in the terminal where the server runs.',
  );
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
