import { isJsonObject, type JsonObject, type JsonValue } from '@minne/core';
import { invalidParameter, MemoryError, memoryLimits } from '@minne/core/memory';

/** Limits of {@link readJsonBody}. */
export interface JsonBodyOptions {
  /** Bytes that a body may have. Default 1 MiB. */
  readonly limit?: number;
  /** Milliseconds until the whole body must have come. */
  readonly timeout: number;
}

/**
 * The body of a request, which must be a JSON object in UTF-8. A request without a body has an empty
 * one. What is too large, too slow or too deep is refused while it is read.
 * @throws MemoryError
 */
export async function readJsonBody(
  request: Request,
  options: JsonBodyOptions,
): Promise<JsonObject> {
  const limit = options.limit ?? memoryLimits.body;
  const length = request.headers.get('content-length');
  if (length !== null && Number(length) > limit) throw bodyTooLarge(limit);
  if (request.body === null) return {};
  const bytes = await readBytes(request.body, limit, options.timeout);
  if (bytes.byteLength === 0) return {};
  checkHeaders(request.headers);
  return parseObject(bytes);
}

function checkHeaders(headers: Headers): void {
  if (!isJson(headers.get('content-type') ?? '')) {
    throw invalidParameter('Content-Type', 'must be application/json, in UTF-8.');
  }
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') {
    throw invalidParameter('Content-Encoding', 'must be absent: bodies are read as they come.');
  }
}

function isJson(contentType: string): boolean {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  if (!/^application\/(?:[\w.-]+\+)?json$/.test(type.trim())) return false;
  return parameters
    .map((parameter) => parameter.trim().replaceAll('"', ''))
    .every((parameter) => !parameter.startsWith('charset=') || parameter === 'charset=utf-8');
}

async function readBytes(
  body: ReadableStream<Uint8Array>,
  limit: number,
  timeout: number,
): Promise<Uint8Array> {
  const reader = body.getReader();
  // Nobody waits for the rest, so whether it could be dropped changes nothing about the answer.
  const abandon = () => reader.cancel().catch(() => undefined);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    void abandon();
  }, timeout);
  // Grows in place: a body that comes byte by byte costs no more than another.
  const buffer = new ArrayBuffer(0, { maxByteLength: limit });
  try {
    while (true) {
      const { done, value } = await reader.read().catch(brokenOff);
      if (late) throw bodyTooSlow(timeout);
      if (done) return new Uint8Array(buffer.transferToFixedLength());
      const size = buffer.byteLength;
      if (size + value.byteLength > limit) throw bodyTooLarge(limit);
      buffer.resize(size + value.byteLength);
      new Uint8Array(buffer).set(value, size);
    }
  } catch (error) {
    void abandon();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function parseObject(bytes: Uint8Array): JsonObject {
  const value = parse(bytes);
  if (!isJsonObject(value)) throw invalidParameter('The body', 'must be a JSON object.');
  checkDepth(value, memoryLimits.jsonDepth);
  return value;
}

function parse(bytes: Uint8Array): JsonValue {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new MemoryError('INVALID_PARAMETER_VALUE', 'The body must be JSON in valid UTF-8.', {
      cause,
    });
  }
}

function checkDepth(value: JsonValue | undefined, left: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) {
    throw invalidParameter(
      'The body',
      `must not nest deeper than ${memoryLimits.jsonDepth} levels.`,
    );
  }
  for (const member of Object.values(value)) checkDepth(member, left - 1);
}

function brokenOff(cause: unknown): never {
  throw new MemoryError('INVALID_PARAMETER_VALUE', 'The body broke off before its end.', { cause });
}

function bodyTooLarge(limit: number): MemoryError {
  return invalidParameter('The body', `must not be longer than ${limit} bytes.`, {
    tooLarge: true,
  });
}

function bodyTooSlow(timeout: number): MemoryError {
  return new MemoryError('DEADLINE_EXCEEDED', `The body did not come within ${timeout} ms.`);
}
