import { Socket } from 'node:net';

/** Whom this process has tried to reach, and what of it is on this machine. */
export interface WatchedHosts {
  /** In the order of the first try. */
  readonly hosts: readonly string[];
}

/** Watches every connection from now on, and lets none leave this machine. */
export function watchHosts(): WatchedHosts {
  const hosts = new Set<string>();
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input);
    hosts.add(hostname);
    if (hostname !== '127.0.0.1') throw new TypeError(`${hostname} is out of reach`);
    return fetch(input, init);
  };
  // What does not go through fetch opens a socket; so does a fetch that some library brings.
  const { connect } = Socket.prototype;
  Socket.prototype.connect = function watched(this: Socket, ...given: unknown[]): Socket {
    const host = hostOf(given);
    hosts.add(host);
    if (host !== '127.0.0.1') return this.destroy(new Error(`${host} is out of reach`));
    return Reflect.apply(connect, this, given);
  };
  return {
    get hosts() {
      return [...hosts];
    },
  };
}

/** Options come first, alone or in a list of what was given; else a port and a host. */
function hostOf(given: readonly unknown[]): string {
  const [first, second] = given.flat();
  if (typeof first === 'object' && first !== null) {
    if ('host' in first && typeof first.host === 'string') return first.host;
    return 'path' in first && typeof first.path === 'string' ? first.path : 'localhost';
  }
  return typeof second === 'string' ? second : String(first);
}
