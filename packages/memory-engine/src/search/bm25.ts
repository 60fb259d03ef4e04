/** How soon more occurrences of a term stop to count, and how much the length of a text does. The usual values. */
const k1 = 1.2;
const b = 0.75;

/** How much a term tells when `matching` of `total` texts hold it. Never negative. */
export function inverseDocumentFrequency(matching: number, total: number): number {
  return Math.log(1 + (total - matching + 0.5) / (matching + 0.5));
}

/**
 * How much `count` occurrences of a term in one text weigh.
 * @param relativeLength - The length of the text, divided by that of the average text.
 */
export function termFrequencyWeight(count: number, relativeLength: number): number {
  return (count * (k1 + 1)) / (count + k1 * (1 - b + b * relativeLength));
}
