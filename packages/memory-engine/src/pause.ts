/** Resolves after so many milliseconds; after 0 of them, when whatever waits for its turn has had it. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
