import { MemoryError } from '@minne/core/memory';

/** Addresses of the memory API that this version does not serve, relative to its base. */
const laterPaths: readonly RegExp[] = [
  /^\/memory-stores\/[^/]+:undelete$/,
  /^\/memory-stores\/[^/]+\/permissions(:grant|:revoke)?$/,
  /^\/memory-stores\/[^/]+\/entries:batch$/,
  /^\/memory-stores\/[^/]+\/entries\/[^/]+(\/revisions(\/.*)?|:restore|:redact)$/,
  /^\/memory-stores\/[^/]+\/actors(\/[^/]+(:export|:erase)?)?$/,
  /^\/tokens(\/.*)?$/,
  /^\/(session-stores|memory-pipelines)(\/.*)?$/,
];

/** @throws MemoryError `NOT_IMPLEMENTED` when the path belongs to such an address. */
export function refuseLaterRoute(path: string): void {
  if (laterPaths.some((pattern) => pattern.test(path))) {
    throw new MemoryError('NOT_IMPLEMENTED', 'This version of the server does not offer that yet.');
  }
}
