import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { MemoryError } from '@minne/core/memory';
import { errorResponse } from './error-response.js';

/**
 * Answers what Node could not read as a request in the shape of errors, and ends the connection.
 * @param error - What Node says is wrong.
 */
export async function refuseMalformed(error: Error, socket: Duplex): Promise<void> {
  const response = errorResponse(refusalOf(error), { Connection: 'close' });
  const body = await response.text();
  const headers = [...response.headers, ['content-length', String(Buffer.byteLength(body))]];
  // Whoever has gone in the meantime reads nothing.
  if (!socket.writable) return;
  socket.end(
    [
      `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status]}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  );
}

/** The codes are those of https://nodejs.org/api/errors.html and of Node's parser. */
function refusalOf(error: Error): MemoryError {
  switch ('code' in error ? error.code : undefined) {
    case 'HPE_HEADER_OVERFLOW':
      return new MemoryError(
        'INVALID_PARAMETER_VALUE',
        'The address and headers of a request must not be longer than 16 KiB together.',
        { status: 431 },
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new MemoryError('DEADLINE_EXCEEDED', 'The request did not come in time.', {
        status: 408,
      });
    default:
      return new MemoryError('INVALID_PARAMETER_VALUE', 'This is no request in HTTP.');
  }
}
