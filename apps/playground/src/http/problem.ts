import { MemoryError } from '@minne/core/memory';

/** An error answer, in the form of the memory API. Nothing of an unexpected error leaves the process. */
export function problemResponse(error: unknown, report: (error: unknown) => void): Response {
  if (!MemoryError.isInstance(error)) report(error);
  const known = MemoryError.isInstance(error)
    ? error
    : new MemoryError('INTERNAL_ERROR', 'Something failed; the terminal tells more.');
  return Response.json(
    { error_code: known.errorCode, message: known.message, details: known.details },
    { status: known.status },
  );
}
