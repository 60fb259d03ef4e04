/** Queues by key, first in, first out. Most keys have one item, which then takes no queue. */
export class WaitingQueues<Item extends NonNullable<unknown>> {
  readonly #first = new Map<string, Item>();
  readonly #others = new Map<string, { readonly items: Item[]; head: number }>();

  push(key: string, item: Item): void {
    if (!this.#first.has(key)) {
      this.#first.set(key, item);
      return;
    }
    const others = this.#others.get(key);
    if (others === undefined) this.#others.set(key, { items: [item], head: 0 });
    else others.items.push(item);
  }

  /** Takes the item that has waited longest, or `undefined` when none waits. */
  shift(key: string): Item | undefined {
    const first = this.#first.get(key);
    if (first === undefined) return undefined;
    const others = this.#others.get(key);
    const next = others?.items[others.head];
    if (others === undefined || next === undefined) {
      this.#first.delete(key);
      if (others !== undefined) this.#others.delete(key);
    } else {
      this.#first.set(key, next);
      others.head += 1;
    }
    return first;
  }
}
