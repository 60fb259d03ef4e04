/**
 * Makes spellings that mean the same the same, but leaves the case, which identifiers need to be split.
 *
 * - Compatibility forms become plain ones (NFKC): full width, ligatures, circled digits.
 * - Accents and points of Latin, Greek, Hebrew and Arabic are dropped: people leave them out when they
 *   search. In other scripts marks are letters in all but name (vowels of Indic and South-East Asian
 *   scripts, voicing in Japanese, й in Cyrillic) and stay.
 * - Letters of Latin that have no decomposition are spelled out: ø is o, æ is ae.
 * - Typographic apostrophes become `'`; characters that show nothing inside a word are dropped.
 */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .normalize('NFD')
    .replace(droppedMarks, '$1')
    .normalize('NFC')
    .replace(apostrophes, "'")
    .replace(invisible, '')
    .replace(latinLetters, (letter) => latinSpellings.get(letter) ?? letter);
}

/**
 * Folds the case of a word, in every locale alike. By way of upper case, so that ß becomes ss and ı
 * becomes i; both forms of the Greek sigma become one.
 */
export function foldCase(word: string): string {
  return word.toUpperCase().toLowerCase().replaceAll('ς', 'σ');
}

const droppedMarks =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}\p{Script=Arabic}])\p{Mn}+/gu;
const apostrophes = /[\u2018\u2019\u02bc]/gu;
// Soft hyphen, joiners, byte order mark; variation selectors and the keycap of emoji.
const invisible = /\u00ad|[\u200c\u200d]|\u2060|\ufeff|[\ufe0e\ufe0f]|\u20e3/gu;
const latinSpellings: ReadonlyMap<string, string> = new Map([
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
]);
const latinLetters = /[øØłŁđĐæÆœŒ]/gu;
