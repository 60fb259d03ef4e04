/** How well a memory fits a query, 0 to 1: the share of the query's words that are in it. */
export function wordScore(query: string, memory: string): number {
  const asked = words(query);
  if (asked.size === 0) return 0;
  const there = words(memory);
  return [...asked].filter((word) => there.has(word)).length / asked.size;
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
}
