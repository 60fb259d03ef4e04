import { hostname, networkInterfaces } from 'node:os';
import { MemoryError } from '@minne/core/memory';
import { checkBrowserAccess } from '@minne/memory-server';
import type { MiddlewareHandler } from 'hono';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const securityHeaders = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

/** Tells the browser to load nothing from elsewhere, whatever is answered. */
export function secureHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(securityHeaders))
      context.res.headers.set(name, value);
    if (!context.res.headers.has('Cache-Control')) {
      context.res.headers.set('Cache-Control', 'no-store');
    }
  };
}

/**
 * The host names under which the server may be addressed when it listens on `host`. A web page can
 * point a name of its own at this machine, so only names that are known to mean it count.
 */
export function allowedHosts(host: string): readonly string[] {
  const names = ['localhost', '127.0.0.1', '[::1]'];
  if (host === '0.0.0.0' || host === '::') {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    names.push(hostname().toLowerCase(), ...addresses.map(({ address }) => bracketed(address)));
  } else {
    names.push(bracketed(host));
  }
  return names;
}

/** An address as it stands in a URL. */
function bracketed(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}

/** Refuses a request that a page from elsewhere may have made the browser send. */
export function ownPagesOnly(hosts: readonly string[]): MiddlewareHandler {
  return async (context, next) => {
    checkBrowserAccess(context.req.raw, { allowedHosts: hosts });
    await next();
  };
}

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/** Refuses a body that an HTML form could have sent. */
export function jsonOnly(): MiddlewareHandler {
  return async (context, next) => {
    if (methodsWithBody.has(context.req.method)) {
      const mediaType = context.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
      if (mediaType !== 'application/json') {
        throw new MemoryError(
          'INVALID_PARAMETER_VALUE',
          'The Content-Type must be application/json.',
          { status: 415 },
        );
      }
    }
    await next();
  };
}
