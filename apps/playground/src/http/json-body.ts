import { isJsonObject, type JsonObject } from '@minne/core';
import { invalidParameter, MemoryError } from '@minne/core/memory';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';

/** Refuses bodies of more than so many bytes. */
export function bodyUpTo(maximumBytes: number): MiddlewareHandler {
  return bodyLimit({
    maxSize: maximumBytes,
    onError: () => {
      throw new MemoryError(
        'INVALID_PARAMETER_VALUE',
        `The body is larger than ${maximumBytes} bytes.`,
        { status: 413 },
      );
    },
  });
}

/** The body of a request as a JSON object. @throws MemoryError when it is none. */
export async function readJsonObject(context: Context): Promise<JsonObject> {
  const text = await context.req.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw invalidParameter('body', 'is not JSON.');
  }
  if (!isJsonObject(body)) throw invalidParameter('body', 'must be a JSON object.');
  return body;
}

/** A member that must be a text with something in it. @throws MemoryError when it is none. */
export function requireText(body: JsonObject, field: string, maximumBytes: number): string {
  const value = body[field];
  if (typeof value !== 'string' || value.trim() === '') {
    throw invalidParameter(field, 'must be a text that is not blank.');
  }
  if (!value.isWellFormed() || value.includes('\0')) {
    throw invalidParameter(field, 'holds characters that cannot be stored.');
  }
  if (Buffer.byteLength(value) > maximumBytes) {
    throw invalidParameter(field, `must not be longer than ${maximumBytes} bytes of UTF-8.`, {
      tooLarge: true,
    });
  }
  return value;
}
