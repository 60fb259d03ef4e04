import type { Mem0ClientSource } from './mem0-client.js';

/** Read once by each entry of `mem0ai`, when that is loaded. */
const variable = 'MEM0_TELEMETRY';

/**
 * Says before `mem0ai` is loaded whether it may report its use. Left open, only the variable's own
 * `true` lets it: of what else means no, `mem0ai` understands `false` alone.
 */
export function setTelemetry(wanted: boolean | undefined): void {
  const may = wanted ?? process.env[variable]?.trim().toLowerCase() === 'true';
  process.env[variable] = String(may);
}

/**
 * Whether a client that was handed over has telemetry which nobody asked for: it is one of `mem0ai`, and
 * the variable says neither. Then it is on, and cannot be turned off any more.
 */
export function hasUnaskedTelemetry(client: Mem0ClientSource): boolean {
  const said = process.env[variable];
  return 'telemetryId' in client && said !== 'true' && said !== 'false';
}

/** What is said of it. */
export const unaskedTelemetry = {
  code: 'mem0_telemetry_on',
  message:
    'mem0ai was loaded without a word about its telemetry, so it reports its use to PostHog. Make its client with createMem0PlatformClient or createMem0OpenSourceMemory, or set MEM0_TELEMETRY to false, or to true, before mem0ai is loaded.',
} as const;
