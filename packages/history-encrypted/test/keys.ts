/** Keys of the tests. Each is 32 bytes of one value: nothing that anybody should use. */
export const keyBytes = (value: number): Uint8Array => new Uint8Array(32).fill(value);

/** The key that most tests use, and its id. */
export const keys = { k1: keyBytes(1) };
