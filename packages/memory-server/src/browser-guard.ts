import { ConfigurationError } from '@minne/core';
import { MemoryError } from '@minne/core/memory';

/** Options of {@link checkBrowserAccess}. */
export interface BrowserGuardOptions {
  /**
   * Names under which the server may be addressed: `name` for any port, or `name:port`, where an address
   * without a port is at 80 and 443. Case does not count. Default `localhost`, `127.0.0.1` and `[::1]`.
   */
  readonly allowedHosts?: readonly string[];
  /**
   * Origins beside the server's own whose pages may call it, such as `https://console.example.com`.
   * Default none.
   */
  readonly allowedOrigins?: readonly string[];
}

const loopbackHosts = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Refuses requests that a web page may have caused. A page whose name was made to point at this machine
 * (DNS rebinding) gives itself away by the `Host` header, and a page from elsewhere by `Origin`.
 * Programs send no `Origin`, and pass.
 * @throws MemoryError `PERMISSION_DENIED`; ConfigurationError for options that name no host or origin.
 */
export function checkBrowserAccess(request: Request, options: BrowserGuardOptions = {}): void {
  const { allowedHosts, allowedOrigins } = parseGuardOptions(options);
  // The target of a request may name a host of its own (RFC 9112 §3.2.2); both must be right.
  const url = new URL(request.url);
  const host = parseHost(request.headers.get('host') ?? url.host);
  for (const address of [host, url]) {
    if (address === undefined || !isAllowedHost(address, allowedHosts)) {
      throw new MemoryError(
        'PERMISSION_DENIED',
        'The server does not answer under this host name. Add the name to allowedHosts to have it do so.',
      );
    }
  }
  const origin = request.headers.get('origin');
  if (origin === null || allowedOrigins.includes(origin)) return;
  if (host === undefined || parseOrigin(origin)?.host !== host.host) {
    throw new MemoryError(
      'PERMISSION_DENIED',
      'Pages of this origin may not call the server. Add the origin to allowedOrigins to let them.',
    );
  }
}

/**
 * The hosts and origins of the options in the form in which requests have them.
 * @throws ConfigurationError for an entry that no request could ever match.
 */
export function parseGuardOptions({
  allowedHosts = loopbackHosts,
  allowedOrigins = [],
}: BrowserGuardOptions): {
  readonly allowedHosts: readonly AllowedHost[];
  readonly allowedOrigins: readonly string[];
} {
  return {
    allowedHosts: allowedHosts.map(parseAllowedHost),
    allowedOrigins: allowedOrigins.map(parseAllowedOrigin),
  };
}

interface AllowedHost {
  readonly name: string;
  /** Absent: any. */
  readonly port: string | undefined;
}

function parseAllowedHost(entry: string): AllowedHost {
  const url = parseHost(entry);
  if (url === undefined) {
    throw wrong('allowedHosts', entry, 'a host such as memory.example.com or localhost:8080');
  }
  // URL leaves out the port that HTTP has anyway.
  return { name: url.hostname, port: /:(\d+)$/.test(entry) ? url.port || '80' : undefined };
}

function parseAllowedOrigin(entry: string): string {
  const origin = /^[a-z][a-z\d+.-]*:\/\/[^/?#*\s]+(?=\/?$)/i.exec(entry)?.[0];
  if (origin === undefined) {
    throw wrong('allowedOrigins', entry, 'an origin such as https://console.example.com');
  }
  return parseOrigin(origin)?.origin ?? origin;
}

function isAllowedHost(address: URL, allowed: readonly AllowedHost[]): boolean {
  // Behind a proxy that speaks HTTPS, an address without a port is at 443.
  const ports = address.port === '' ? ['80', '443'] : [address.port];
  return allowed.some(
    ({ name, port }) => name === address.hostname && (port === undefined || ports.includes(port)),
  );
}

/** A `Host` header as an address, unless it holds more than a name and a port. */
function parseHost(header: string): URL | undefined {
  return /[/?#@\\\s]/.test(header) ? undefined : parseUrl(`http://${header}`);
}

function parseOrigin(header: string): URL | undefined {
  return /^https?:\/\//.test(header) ? parseUrl(header) : undefined;
}

function parseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}

function wrong(field: string, entry: string, expected: string): ConfigurationError {
  return new ConfigurationError(
    `${field} holds ${JSON.stringify(entry)}, which no request can match. Give ${expected}.`,
    { packageName: '@minne/memory-server', field },
  );
}
