import { ConfigurationError } from '@minne/core';
import type { Mem0Client } from './mem0-client.js';
import { packageName } from './package-name.js';

/** @throws ConfigurationError when `value` is no client. */
export function checkClient(value: unknown): asserts value is Mem0Client {
  const isClient =
    typeof value === 'object' &&
    value !== null &&
    'add' in value &&
    typeof value.add === 'function' &&
    'search' in value &&
    typeof value.search === 'function';
  if (isClient) return;
  throw new ConfigurationError(
    'The client has no methods add and search. Give a MemoryClient of mem0ai, a Memory of mem0ai/oss, or a function that returns one.',
    { packageName, field: 'client' },
  );
}
