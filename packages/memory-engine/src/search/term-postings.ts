import { countTerm, unpackTerms } from './packed-terms.js';

/** Which documents hold a term, and how often; removed documents too. */
export interface Postings {
  /** Places in the list of documents. */
  readonly places: number[];
  readonly counts: number[];
}

interface GrowingPostings extends Postings {
  /** How many of the documents have been looked through. */
  seen: number;
}

/** A list of texts that only grows at its end; a removed one leaves a gap. */
export type Texts = readonly ({ readonly terms: string } | undefined)[];

/** From so many new terms on it is faster to take every text apart than to look for each term in it. */
const manyTerms = 32;
/** How many postings are kept before all are dropped, to be found anew when they are needed. */
const mostPostings = 500_000;
/** A term takes as much memory as so many postings, be there postings or not. */
const termCost = 16;

/**
 * The postings of the terms that have been searched for, found when they are needed and kept: reading
 * the texts of an actor costs little, and its other terms are never looked at.
 */
export class TermPostings {
  readonly #terms = new Map<string, GrowingPostings>();
  #size = 0;

  /** How many postings are kept, where each term counts as 16 of them. */
  get size(): number {
    return this.#size;
  }

  /** The postings of each of these terms in these texts, which are those of the last time and maybe more. */
  of(terms: Iterable<string>, texts: Texts): ReadonlyMap<string, Postings> {
    if (this.#size > mostPostings) {
      this.#terms.clear();
      this.#size = 0;
    }
    const found = new Map<string, GrowingPostings>();
    for (const term of terms) found.set(term, this.#postingsOf(term));
    const behind = [...found].filter(([, postings]) => postings.seen < texts.length);
    if (behind.length < manyTerms)
      for (const [term, postings] of behind) this.#scan(term, postings, texts);
    else this.#takeApart(new Map(behind), texts);
    return found;
  }

  #postingsOf(term: string): GrowingPostings {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const postings = { places: [], counts: [], seen: 0 };
    this.#terms.set(term, postings);
    this.#size += termCost;
    return postings;
  }

  #scan(term: string, postings: GrowingPostings, texts: Texts): void {
    for (let place = postings.seen; place < texts.length; place++) {
      const text = texts[place];
      const count = text === undefined ? 0 : countTerm(text.terms, term);
      if (count > 0) this.#post(postings, place, count);
    }
    postings.seen = texts.length;
  }

  #takeApart(wanted: ReadonlyMap<string, GrowingPostings>, texts: Texts): void {
    const first = Math.min(...Array.from(wanted.values(), ({ seen }) => seen));
    for (let place = first; place < texts.length; place++) {
      for (const [term, count] of unpackTerms(texts[place]?.terms ?? '')) {
        const postings = wanted.get(term);
        if (postings !== undefined && postings.seen <= place) this.#post(postings, place, count);
      }
    }
    for (const postings of wanted.values()) postings.seen = texts.length;
  }

  #post(postings: GrowingPostings, place: number, count: number): void {
    postings.places.push(place);
    postings.counts.push(count);
    this.#size += 1;
  }
}
