/** How many characters (UTF-16 units) of texts are remembered: about 8 MB. */
const capacity = 4_000_000;

/** What texts have been counted to: those that were asked for last, up to a bound. */
export class TextCounts {
  /** In the order in which they were asked for. */
  readonly #counts = new Map<string, number>();
  #size = 0;

  /** The count of a text, made by `count` when it is not remembered. */
  of(text: string, count: () => number): number {
    const known = this.#counts.get(text);
    if (known !== undefined) {
      this.#counts.delete(text);
      this.#counts.set(text, known);
      return known;
    }
    const made = count();
    this.#counts.set(text, made);
    this.#size += text.length;
    for (const oldest of this.#counts.keys()) {
      if (this.#size <= capacity) break;
      this.#counts.delete(oldest);
      this.#size -= oldest.length;
    }
    return made;
  }
}
