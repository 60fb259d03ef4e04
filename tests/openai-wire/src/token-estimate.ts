/** Tokens of a text, roughly: one for each four characters, at least one. The real count depends on the model. */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '');
  return Math.max(1, Math.ceil(text.length / 4));
}
