import type { ActorChanges } from '../storage-port.js';
import { inverseDocumentFrequency, termFrequencyWeight } from './bm25.js';
import { decodeSearchRecord, type SearchRecord } from './search-record.js';
import { TermPostings } from './term-postings.js';

/** Which entries a search may return. */
export interface SearchFilter {
  readonly sessionId?: string;
  readonly pathPrefix?: string;
}

/** An entry with its score. */
export interface ScoredEntry {
  readonly entryId: string;
  /** The revision of the entry that was ranked. */
  readonly revision: number;
  readonly score: number;
}

interface Document extends SearchRecord {
  readonly entryId: string;
}

/**
 * The entries of one actor, arranged for ranking by BM25. Kept up to date with what changed in
 * storage; the statistics are those of the entries that the actor has now.
 */
export class ActorIndex {
  /** In the order in which they came; a removed one leaves a gap. */
  readonly #documents: (Document | undefined)[] = [];
  readonly #places = new Map<string, number>();
  readonly #postings = new TermPostings();
  #revision: number | undefined;
  #totalLength = 0;
  #textSize = 0;
  #nextExpiry = Number.POSITIVE_INFINITY;

  /** The revision of the actor that this index shows; `undefined` before the first changes. */
  get revision(): number | undefined {
    return this.#revision;
  }

  /** About how many bytes of memory it holds. */
  get size(): number {
    return 200 * this.#documents.length + this.#textSize + 16 * this.#postings.size;
  }

  /** Whether more of it is gaps than not, so that reading it anew makes it smaller. */
  get isWorn(): boolean {
    return this.#documents.length > 64 && this.#documents.length > 2 * this.#places.size;
  }

  /** Takes over what changed since {@link revision}; a complete answer only in an empty index. */
  apply(changes: ActorChanges): void {
    for (const entryId of changes.removed) this.#remove(entryId);
    for (const { entryId, record } of changes.records) {
      this.#remove(entryId);
      this.#add({ entryId, ...decodeSearchRecord(record) });
    }
    this.#revision = changes.revision;
  }

  /** Forgets the entries that have expired at `now`, in milliseconds since 1970. */
  expire(now: number): void {
    if (now < this.#nextExpiry) return;
    this.#nextExpiry = Number.POSITIVE_INFINITY;
    for (const document of this.#documents) {
      if (document === undefined) continue;
      if (document.expiresAt <= now) this.#remove(document.entryId);
      else this.#nextExpiry = Math.min(this.#nextExpiry, document.expiresAt);
    }
  }

  /** The best `limit` of the entries that pass the filter and hold a term, best first, ties by id. */
  search(
    terms: ReadonlyMap<string, number>,
    filter: SearchFilter,
    limit: number,
  ): readonly ScoredEntry[] {
    const found: ScoredEntry[] = [];
    for (const [place, score] of this.#score(terms).entries()) {
      const document = score > 0 ? this.#documents[place] : undefined;
      if (document === undefined || !passes(document, filter)) continue;
      found.push({ entryId: document.entryId, revision: document.revision, score });
    }
    return best(found, limit);
  }

  /** The score of each document by its place; 0 for one that holds no term. */
  #score(terms: ReadonlyMap<string, number>): Float64Array {
    const scores = new Float64Array(this.#documents.length);
    const total = this.#places.size;
    // An actor whose texts are all empty or stop words has an average of 0, and every length is alike.
    const averageLength = this.#totalLength / total || 1;
    const postings = this.#postings.of(terms.keys(), this.#documents);
    for (const [term, weight] of terms) {
      const { places, counts } = postings.get(term) ?? { places: [], counts: [] };
      const matching = places.filter((place) => this.#documents[place] !== undefined).length;
      const rarity = weight * inverseDocumentFrequency(matching, total);
      for (let index = 0; index < places.length; index++) {
        const place = places[index] ?? -1;
        const document = this.#documents[place];
        if (document === undefined) continue;
        const relativeLength = document.length / averageLength;
        const frequency = termFrequencyWeight(counts[index] ?? 0, relativeLength);
        scores[place] = (scores[place] ?? 0) + rarity * frequency;
      }
    }
    return scores;
  }

  #add(document: Document): void {
    this.#places.set(document.entryId, this.#documents.length);
    this.#documents.push(document);
    this.#totalLength += document.length;
    this.#textSize += textSize(document);
    this.#nextExpiry = Math.min(this.#nextExpiry, document.expiresAt);
  }

  #remove(entryId: string): void {
    const place = this.#places.get(entryId);
    const document = place === undefined ? undefined : this.#documents[place];
    if (place === undefined || document === undefined) return;
    this.#documents[place] = undefined;
    this.#places.delete(entryId);
    this.#totalLength -= document.length;
    this.#textSize -= textSize(document);
  }
}

/** How many bytes of memory the text of a record takes: text in one string, of which each unit has two. */
function textSize({ path, sessionId, terms }: SearchRecord): number {
  return 2 * (path.length + (sessionId?.length ?? 0) + terms.length);
}

function passes(document: Document, filter: SearchFilter): boolean {
  return (
    (filter.sessionId === undefined || document.sessionId === filter.sessionId) &&
    (filter.pathPrefix === undefined || document.path.startsWith(filter.pathPrefix))
  );
}

function best(found: readonly ScoredEntry[], limit: number): readonly ScoredEntry[] {
  // Sorting plain numbers is many times faster, and leaves few entries to be compared.
  const scores = Float64Array.from(found, ({ score }) => score).sort();
  const least = scores.at(-limit) ?? 0;
  return found
    .filter(({ score }) => score >= least)
    .sort((left, right) => right.score - left.score || (left.entryId < right.entryId ? -1 : 1))
    .slice(0, limit);
}
