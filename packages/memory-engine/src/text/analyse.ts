import { stemEnglish } from './english-stemmer.js';
import { englishStopWords } from './english-stop-words.js';
import { foldCase } from './fold.js';
import { functionWords } from './function-words.js';
import { tokenise } from './tokenise.js';

/** The terms of a text that is to be found. */
export interface AnalysedDocument {
  /** How often each term occurs. */
  readonly counts: ReadonlyMap<string, number>;
  /** How many words it has, without stop words and without second names of the same word. */
  readonly length: number;
}

/**
 * The terms of several fields together. Stop words are terms like others, so that a query of nothing
 * else still finds them, but do not make a text longer.
 */
export function analyseDocument(fields: readonly string[]): AnalysedDocument {
  const counts = new Map<string, number>();
  let length = 0;
  for (const field of fields) {
    for (const { text, kind } of tokenise(field)) {
      const word = foldWord(text);
      const term = stem(word);
      counts.set(term, (counts.get(term) ?? 0) + 1);
      if (kind === 'word' && !englishStopWords.has(word)) length += 1;
    }
  }
  return { counts, length };
}

/** Few texts hold a small word of another language by chance, which must not outweigh the subject. */
const functionWordWeight = 0.25;

/**
 * The terms of a query with their weights: the square root of how often each occurs, so that a long
 * query is not ruled by the word it repeats, and a quarter of that for function words of other languages.
 * Without English stop words, unless there is nothing else.
 */
export function analyseQuery(query: string): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  const stopWords = new Map<string, number>();
  const light = new Set<string>();
  for (const { text, kind } of tokenise(query)) {
    if (kind === 'character') continue;
    const word = foldWord(text);
    const counts = englishStopWords.has(word) ? stopWords : terms;
    const term = stem(word);
    counts.set(term, (counts.get(term) ?? 0) + 1);
    if (functionWords.has(word)) light.add(term);
  }
  const counts = terms.size > 0 ? terms : stopWords;
  return new Map(
    Array.from(counts, ([term, count]) => [
      term,
      Math.sqrt(count) * (light.has(term) ? functionWordWeight : 1),
    ]),
  );
}

/** Longer terms are cut, in texts and queries alike: encoded data is not worth more. */
const longestTerm = 64;

function foldWord(text: string): string {
  const word = foldCase(text);
  return word.length > longestTerm ? word.slice(0, longestTerm).toWellFormed() : word;
}

const stems = new Map<string, string>();
const mostStems = 20_000;

function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  if (stems.size >= mostStems) stems.clear();
  const stemmed = stemEnglish(word);
  stems.set(word, stemmed);
  return stemmed;
}
