import { MemoryError } from '@minne/core/memory';

/** Options of {@link checkBrowserAccess}. */
export interface BrowserGuardOptions {
  /**
   * Names under which the server may be addressed: `name` for any port, or `name:port`. Default
   * `localhost`, `127.0.0.1` and `[::1]`.
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
 * @throws MemoryError `PERMISSION_DENIED`
 */
export function checkBrowserAccess(request: Request, options: BrowserGuardOptions = {}): void {
  const allowedHosts = options.allowedHosts ?? loopbackHosts;
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
  if (origin === null || options.allowedOrigins?.includes(origin)) return;
  if (host === undefined || parseOrigin(origin)?.host !== host.host) {
    throw new MemoryError(
      'PERMISSION_DENIED',
      'Pages of this origin may not call the server. Add the origin to allowedOrigins to let them.',
    );
  }
}

function isAllowedHost(address: URL, allowed: readonly string[]): boolean {
  return allowed.includes(address.hostname) || allowed.includes(address.host);
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
