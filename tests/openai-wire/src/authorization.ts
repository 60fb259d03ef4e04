import type { IncomingHttpHeaders } from 'node:http';
import { WireRefusal } from './wire-refusal.js';

/**
 * Refuses a request without the key. Shapes as seen in
 * https://github.com/IIC2440/Syllabus-2025-1/issues/13: the service repeats the key with its middle
 * starred, so its first and last characters come back in the message. Azure takes the key in `api-key`.
 */
export function checkAuthorization(headers: IncomingHttpHeaders, apiKey: string | undefined): void {
  if (apiKey === undefined) return;
  const azureKey = headers['api-key'];
  const given =
    typeof azureKey === 'string'
      ? azureKey
      : /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (given === undefined) {
    throw new WireRefusal(
      "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY).",
      { status: 401 },
    );
  }
  if (given === apiKey) return;
  const masked = `${given.slice(0, 8)}${'*'.repeat(12)}${given.slice(-4)}`;
  throw new WireRefusal(
    `Incorrect API key provided: ${masked}. You can find your API key at https://platform.openai.com/account/api-keys.`,
    { status: 401, code: 'invalid_api_key' },
  );
}
