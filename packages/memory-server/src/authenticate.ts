import { ConfigurationError } from '@minne/core';
import { checkIdentifier, MemoryError } from '@minne/core/memory';
import type { Principal } from '@minne/memory-engine';

/**
 * Says whose token it is. Called once for every request that carries one, before anything else of the
 * request is looked at; `undefined` refuses it with 401. What it throws is answered with 500, or as it
 * says when it is a MemoryError.
 */
export type Authenticate = (
  token: string,
  request: Request,
) => Principal | undefined | Promise<Principal | undefined>;

/** RFC 6750: the scheme in any case, then the token. */
const bearerPattern = /^bearer +([\x21-\x7e]+)$/i;
const tokenPattern = /^[\x21-\x7e]+$/;

/**
 * Who sent the request.
 * @throws MemoryError `UNAUTHENTICATED` when it carries no token, or one that is not accepted.
 */
export async function principalOf(
  request: Request,
  authenticate: Authenticate,
): Promise<Principal> {
  const token = bearerPattern.exec(request.headers.get('authorization')?.trim() ?? '')?.[1];
  if (token === undefined) {
    throw new MemoryError(
      'UNAUTHENTICATED',
      'The request carries no token. Send the header "Authorization: Bearer <token>".',
    );
  }
  const principal = await authenticate(token, request);
  // Functions without types may say null. Whoever has no name would share the stores of all without one.
  if (principal == null || typeof principal.name !== 'string' || principal.name === '') {
    throw new MemoryError('UNAUTHENTICATED', 'The token is not accepted.');
  }
  return principal;
}

/** Options of {@link adminToken}. */
export interface AdminTokenOptions {
  /** Under which name the holder creates stores. Default `admin`. */
  readonly name?: string;
}

/**
 * Accepts one token, for an administrator. Tokens are compared by their hashes in constant time.
 * @throws ConfigurationError when the token could not stand in a header: it must be visible ASCII;
 * MemoryError when the name could not be that of a principal.
 */
export function adminToken(token: string, options: AdminTokenOptions = {}): Authenticate {
  // A variable of the environment that is not set must not make the token "undefined".
  if (typeof token !== 'string' || !tokenPattern.test(token)) {
    throw new ConfigurationError(
      'The token of adminToken must be one or more visible ASCII characters without spaces. Make one with crypto.randomUUID().',
      { packageName: '@minne/memory-server', field: 'token' },
    );
  }
  const name = checkIdentifier(options.name ?? 'admin', 'name');
  const principal: Principal = { name, isAdmin: true };
  const expected = hash(token);
  return async (candidate) =>
    equal(await hash(candidate), await expected) ? principal : undefined;
}

async function hash(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
}

/** Looks at every byte whatever the first ones are. Both are hashes, so of one length. */
function equal(left: Uint8Array, right: Uint8Array): boolean {
  let difference = 0;
  for (const [index, byte] of left.entries()) difference |= byte ^ (right[index] ?? 0);
  return difference === 0;
}
