/** What an error says. Tools and providers may throw anything, so this takes anything, and never throws. */
export function errorText(error: unknown): string {
  try {
    const text: unknown = error instanceof Error ? error.message || error.name : String(error);
    return String(text);
  } catch {
    // A value that throws even when it is looked at.
    return 'It failed with something that has no text.';
  }
}
