/** Freezes a JSON value with all that it holds, so that it can be handed to anybody. @returns The value. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) {
      if (typeof member === 'object' && member !== null) deepFreeze(member);
    }
  }
  return value;
}
