import fc from 'fast-check';
import { newStemmer } from 'snowball-stemmers';
import { expect, test } from 'vitest';
import { stemEnglish } from '../src/text/english-stemmer.js';

const reference = newStemmer('english');
const suffixes = [
  ...[
    '',
    's',
    'es',
    'ed',
    'edly',
    'ing',
    'ingly',
    'eed',
    'eedly',
    'ies',
    'ied',
    'sses',
    'us',
    'y',
    'e',
    'll',
  ],
  ...[
    'ational',
    'tional',
    'enci',
    'anci',
    'abli',
    'entli',
    'izer',
    'ization',
    'ation',
    'ator',
    'alism',
  ],
  ...[
    'aliti',
    'alli',
    'fulness',
    'ousli',
    'ousness',
    'iveness',
    'iviti',
    'biliti',
    'bli',
    'ogi',
    'fulli',
  ],
  ...[
    'lessli',
    'li',
    'alize',
    'icate',
    'iciti',
    'ical',
    'ful',
    'ness',
    'ative',
    'al',
    'ance',
    'ence',
    'er',
  ],
  ...[
    'ic',
    'able',
    'ible',
    'ant',
    'ement',
    'ment',
    'ent',
    'ism',
    'ate',
    'iti',
    'ous',
    'ive',
    'ize',
    'ion',
    'sion',
  ],
];
const stem = fc.stringMatching(/^[aeiouybcdglnrstwxz]{1,8}$/);

test('words have the stem that the reference implementation gives them', () => {
  const word = fc.tuple(stem, fc.constantFrom(...suffixes)).map((parts) => parts.join(''));
  fc.assert(
    fc.property(word, (text) => {
      expect(stemEnglish(text)).toBe(reference.stem(text));
    }),
    { numRuns: 5000 },
  );
});

test('words that the algorithm treats by name have the stem of the reference', () => {
  const words =
    'skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes ' +
    'inning innings outing canning herring earring proceed proceeds exceed succeed succeeded ' +
    'general generate communism arsenal yes youth boy boyish sayings by a is';
  for (const word of words.split(' ')) expect(stemEnglish(word), word).toBe(reference.stem(word));
});

test('what is no English word stays as it is', () => {
  for (const word of ['straße', '東京', 'mk7', 'naïvely', '🙂', '']) {
    expect(stemEnglish(word)).toBe(word);
  }
});
