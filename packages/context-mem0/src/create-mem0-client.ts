import { ConfigurationError } from '@minne/core';
import type { Mem0OpenSourceMemory, Mem0PlatformClient } from './mem0-client.js';
import { packageName } from './package-name.js';
import { setTelemetry } from './telemetry.js';

/** What both ways to make a client of `mem0ai` take. */
export interface Mem0TelemetryOptions {
  /**
   * Whether `mem0ai` may report its use to PostHog. It reads `MEM0_TELEMETRY` once, when it is loaded, so that
   * this counts only for the first load in a process. Default: true where `MEM0_TELEMETRY` is `true`, else false.
   */
  readonly telemetry?: boolean;
}

/** Options of {@link createMem0PlatformClient}. */
export interface Mem0PlatformClientOptions extends Mem0TelemetryOptions {
  /** Default: the environment variable `MEM0_API_KEY`. */
  readonly apiKey?: string;
  /** The address of the service. Default: the environment variable `MEM0_HOST`, or else Mem0's own. */
  readonly host?: string;
}

/**
 * Makes a `MemoryClient` of `mem0ai` with its telemetry off. `mem0ai` asks the service once who the key
 * belongs to, and prints it to standard error when that fails.
 *
 * @throws ConfigurationError when there is no key, or `mem0ai` cannot be loaded.
 */
export async function createMem0PlatformClient(
  options: Mem0PlatformClientOptions = {},
): Promise<Mem0PlatformClient> {
  const apiKey = options.apiKey ?? environment('MEM0_API_KEY');
  const host = options.host ?? environment('MEM0_HOST');
  if (apiKey === undefined || apiKey.trim() === '') {
    throw new ConfigurationError(
      'There is no key for Mem0. Pass apiKey or set the environment variable MEM0_API_KEY.',
      { packageName, field: 'apiKey' },
    );
  }
  setTelemetry(options.telemetry);
  const { MemoryClient } = await import('mem0ai').catch(notLoaded);
  return new MemoryClient({ apiKey, ...(host === undefined ? {} : { host }) });
}

/**
 * Makes a `Memory` of `mem0ai/oss` with its telemetry off. `config` is handed on as it is; see Mem0's
 * own documentation. Without one, memories go to a file in the home directory and texts to OpenAI.
 *
 * @throws ConfigurationError when `mem0ai` or what it needs cannot be loaded.
 */
export async function createMem0OpenSourceMemory(
  config: Readonly<Record<string, unknown>>,
  options: Mem0TelemetryOptions = {},
): Promise<Mem0OpenSourceMemory> {
  setTelemetry(options.telemetry);
  const { Memory } = await import('mem0ai/oss').catch(notLoaded);
  return new Memory(config);
}

function environment(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === '' ? undefined : value;
}

function notLoaded(cause: unknown): never {
  throw new ConfigurationError(
    'The package mem0ai, or better-sqlite3 that its open-source part needs, could not be loaded. Install it beside @minne/context-mem0: npm install mem0ai',
    { packageName, field: 'client', cause },
  );
}
