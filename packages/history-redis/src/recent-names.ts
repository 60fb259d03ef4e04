/** Remembers the names that were used last, up to a number. */
export class RecentNames {
  readonly #names = new Set<string>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.delete(name);
    this.#names.add(name);
    if (this.#names.size <= this.#limit) return;
    for (const oldest of this.#names) {
      this.#names.delete(oldest);
      break;
    }
  }

  delete(name: string): void {
    this.#names.delete(name);
  }
}
