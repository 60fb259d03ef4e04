/**
 * Makes spellings that mean the same the same, but leaves the case, which identifiers need to be split.
 *
 * - Compatibility forms become plain ones (NFKC): full width, ligatures, circled digits.
 * - Accents and points of Latin, Greek, Hebrew and Arabic are dropped: people leave them out when they
 *   search. In other scripts marks are letters in all but name (vowels of Indic and South-East Asian
 *   scripts, voicing in Japanese, й in Cyrillic) and stay.
 * - Letters of Latin that have no decomposition are spelled out: ø is o, æ is ae. So are letters of
 *   Cyrillic and Arabic of which people write either: ё is е, ى and Persian ی are ي, ک is ك, ة is ه.
 * - Digits are those of ASCII, whatever the script.
 * - Typographic apostrophes become `'`; characters that show nothing inside a word are dropped.
 */
export function foldText(text: string): string {
  return text
    .replace(markRuns, '$1')
    .normalize('NFKC')
    .normalize('NFD')
    .replace(droppedMarks, '$1')
    .normalize('NFC')
    .replace(apostrophes, "'")
    .replace(invisible, '')
    .replace(otherSpellings, (letter) => spellings.get(letter) ?? letter)
    .replace(anyDigit, (digit) => otherDigits.get(digit) ?? digit);
}

/**
 * Folds the case of a word, in every locale alike. By way of upper case, so that ß becomes ss and ı
 * becomes i; both forms of the Greek sigma become one.
 */
export function foldCase(word: string): string {
  return word.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

// Ordering the marks of one letter takes the square of their number. Thirty are enough for every language
// (Unicode Standard Annex #15, Stream-Safe Text Format).
const markRuns = /(\p{M}{30})\p{M}+/gu;
const droppedMarks =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}])\p{Mn}+/gu;
const apostrophes = /[\u2018\u2019\u02bc]/gu;
// Soft hyphen, Arabic stretching, joiners, byte order mark; variation selectors and the keycap of emoji.
const invisible = /\u00ad|\u0640|[\u200c\u200d]|\u2060|\ufeff|[\ufe0e\ufe0f]|\u20e3/gu;
const spellings: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['Ø', 'O'],
  ['ł', 'l'],
  ['Ł', 'L'],
  ['đ', 'd'],
  ['Đ', 'D'],
  ['æ', 'ae'],
  ['Æ', 'AE'],
  ['œ', 'oe'],
  ['Œ', 'OE'],
  ['ё', 'е'],
  ['Ё', 'Е'],
  ['ى', 'ي'],
  ['ی', 'ي'],
  ['ک', 'ك'],
  ['ة', 'ه'],
]);
const otherSpellings = new RegExp(`[${[...spellings.keys()].join('')}]`, 'gu');
const anyDigit = /(?=\P{ASCII})\p{Nd}/gu;
// Arabic, Persian, N'Ko, the Indic scripts, Thai, Lao, Tibetan, Burmese, Khmer and Mongolian.
const zeros = '٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀០᠐';
const otherDigits: ReadonlyMap<string, string> = new Map(
  Array.from(zeros, (zero) => zero.codePointAt(0) ?? 0).flatMap((zero) =>
    Array.from(
      '0123456789',
      (digit, value) => [String.fromCodePoint(zero + value), digit] as const,
    ),
  ),
);
