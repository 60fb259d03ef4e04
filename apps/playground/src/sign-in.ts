import { createHash, randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '@minne/core';

/** How long what the page is given holds, in milliseconds. */
export interface SignInLifetimes {
  /** Until a link must have been opened. Default 10 minutes. */
  readonly code?: number;
  /** Until a token that is not used ends. Every use begins the time anew. Default 1 hour. */
  readonly idleToken?: number;
  /** Until a token ends however much it is used. Default 12 hours. */
  readonly token?: number;
}

/** Options of {@link SignIn}. */
export interface SignInOptions {
  readonly clock?: Clock;
  readonly lifetimes?: SignInLifetimes;
}

/** A token as it is handed out. */
export interface PageToken {
  readonly token: string;
  /** Milliseconds without use after which it ends. */
  readonly idleTime: number;
}

interface TokenTimes {
  readonly endsAt: number;
  readonly usedAt: number;
}

const minute = 60_000;
/** So many links or tabs at a time; the oldest or longest unused gives way, so that nobody can fill the memory. */
const maximumCodes = 16;
const maximumTokens = 64;

/**
 * Lets a page in: a one-time code from the terminal becomes a token of limited life. Both are kept
 * as SHA-256 only and looked up by it, so that neither a copy of this process's memory nor the time
 * of a comparison gives one away. A restart ends them all.
 */
export class SignIn {
  readonly #clock: Clock;
  readonly #lifetimes: Required<SignInLifetimes>;
  readonly #codes = new Map<string, number>();
  readonly #tokens = new Map<string, TokenTimes>();

  constructor(options: SignInOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    const {
      code = 10 * minute,
      idleToken = 60 * minute,
      token = 720 * minute,
    } = options.lifetimes ?? {};
    this.#lifetimes = { code, idleToken, token };
  }

  /** A new code for one link. Codes handed out before stay good. */
  issueCode(): string {
    const code = secret();
    this.#codes.set(hash(code), this.#now() + this.#lifetimes.code);
    dropOldest(this.#codes, maximumCodes);
    return code;
  }

  /** Uses a code up. `undefined` for one that is unknown, used or too old: the caller cannot tell which. */
  exchange(code: string): PageToken | undefined {
    const key = hash(code);
    const endsAt = this.#codes.get(key);
    this.#codes.delete(key);
    if (endsAt === undefined || endsAt <= this.#now()) return undefined;
    const token = secret();
    const now = this.#now();
    this.#tokens.set(hash(token), { usedAt: now, endsAt: now + this.#lifetimes.token });
    dropOldest(this.#tokens, maximumTokens);
    return { token, idleTime: this.#lifetimes.idleToken };
  }

  /** Whether a token is good now. Asking is a use, which keeps it alive up to its absolute end. */
  verify(token: string): boolean {
    const key = hash(token);
    const times = this.#tokens.get(key);
    if (times === undefined) return false;
    const now = this.#now();
    if (now >= times.endsAt || now >= times.usedAt + this.#lifetimes.idleToken) {
      this.#tokens.delete(key);
      return false;
    }
    // Moves to the end, so that the one that gives way is the one unused for longest.
    this.#tokens.delete(key);
    this.#tokens.set(key, { usedAt: now, endsAt: times.endsAt });
    return true;
  }

  /** Ends a token. */
  signOut(token: string): void {
    this.#tokens.delete(hash(token));
  }

  #now(): number {
    return this.#clock().getTime();
  }
}

/** 256 random bits, as text that can stand in a link. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function dropOldest(map: Map<string, unknown>, maximum: number): void {
  for (const key of map.keys()) {
    if (map.size <= maximum) return;
    map.delete(key);
  }
}

/** The link that hands a code to the page. A fragment is sent to no server and stands in no log. */
export function signInLink(baseUrl: string, code: string): string {
  return `${baseUrl}/#code=${code}`;
}
