import { createHash } from 'node:crypto';

/** A script that runs on the server, in one step. */
export interface RedisScript {
  readonly source: string;
  /** By what the server knows it once it has seen it. */
  readonly sha: string;
}

/** A script of these parts. */
export function redisScript(...parts: readonly string[]): RedisScript {
  const source = parts.map((part) => part.trim()).join('\n');
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
