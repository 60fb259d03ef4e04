/**
 * Half-open ranges of UTF-16 units outside ASCII, by their end, with the tokens of one unit: at least what
 * `o200k_base` spends on letters of the range by chance, and `cl100k_base` on running text.
 */
const unitsBelow: readonly (readonly [number, number])[] = [
  [0x00a0, 2], // control characters
  [0x00c0, 1.5], // Latin-1 signs
  [0x0100, 1.25], // Latin with marks
  [0x0180, 1.5],
  [0x0370, 2], // rare and phonetic letters, marks that combine
  [0x03ac, 1.75], // Greek capitals
  [0x03cf, 1.25], // Greek
  [0x0400, 2],
  [0x0410, 1.5],
  [0x0450, 0.9], // Russian
  [0x0460, 1.5], // other Cyrillic
  [0x0530, 2],
  [0x0590, 2.25], // Armenian
  [0x05d0, 2], // Hebrew points
  [0x0600, 1.25], // Hebrew
  [0x0621, 2],
  [0x064b, 1.25], // Arabic
  [0x0700, 1.75], // Arabic vowel signs, Persian, Urdu
  [0x07c0, 2], // Syriac
  [0x0900, 3],
  [0x0980, 1.5], // Devanagari
  [0x0e00, 2.5], // other scripts of India
  [0x0e80, 1.5], // Thai
  [0x1e00, 3],
  [0x1f00, 2], // Vietnamese
  [0x2000, 2.5], // Greek with accents
  [0x2070, 1.75], // dashes and quotation marks
  [0x3000, 3], // symbols
  [0x3041, 1.75], // CJK punctuation
  [0x3100, 1.5], // Kana
  [0x4e00, 3],
  [0xa000, 2], // common ideographs
  [0xac00, 3],
  [0xd7b0, 2.25], // Hangul
  [0xd800, 3],
  [0xe000, 2.1], // half of a surrogate pair
  [0xff00, 3],
  [0xfff0, 2], // full-width forms
  [0x10000, 3],
];

/** Tokens of one UTF-16 unit, for quick look-up. */
const unitTokens = Float32Array.from({ length: 0x10000 }, (_, unit) =>
  unit < 0x80 ? 0 : (unitsBelow.find(([end]) => unit < end)?.[1] ?? 3),
);

const digit = 1;
const lower = 2;
const upper = 3;
const blank = 4;
const control = 5;

/** What kind of character an ASCII unit is; 0 for signs. */
const asciiKinds = Uint8Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  if (/[0-9]/.test(character)) return digit;
  if (/[a-z]/.test(character)) return lower;
  if (/[A-Z]/.test(character)) return upper;
  if (/\s/.test(character)) return blank;
  return unit < 0x20 || unit === 0x7f ? control : 0;
});

/** Letters that a common word gives one token; longer ones are taken for parts of so many. */
const lettersOfToken = 4;
/** Characters of a run from which on it may be encoded data rather than a name. */
const encodedLength = 8;
/** Changes between small letters, capitals and digits for each character that tell encoded data from a name. */
const encodedChanges = 0.3;
/** The same in a run with digits that is longer than any word. */
const encodedChangesOfLong = 0.1;
/** Tokens of a character of encoded data: Base64 takes about 0.72, hexadecimal 0.6. */
const encodedTokens = 0.85;
/** Letters in a row that no language writes as one common word. */
const longestWord = 24;
/** Tokens of a letter of a longer row: letters by chance take 0.52 to 0.63. */
const letterTokens = 0.65;

/**
 * Tokens that a text costs, told without the data of any tokenizer and rather too many than too few.
 * English prose comes out about 1.6 times too high for `o200k_base`, code 1.2 to 1.7 times, and scripts on
 * which older encodings spend much more up to 7 times. It is too low for words of 8 to 24 letters that
 * are letters by chance.
 */
export function estimateTextTokens(text: string): number {
  let total = 0;
  let position = 0;
  const { length } = text;
  while (position < length) {
    const unit = text.charCodeAt(position);
    if (unit >= 0x80) {
      total += unitTokens[unit] ?? 3;
      position += 1;
      continue;
    }
    const kind = asciiKinds[unit] ?? 0;
    const end = isWordKind(kind) ? endOfWord(text, position) : endOfSame(text, position);
    if (kind === blank) total += blankTokens(text, position, end);
    else if (kind === control) total += end - position;
    else if (kind === 0) total += 1 + (end - position - 1) / 2;
    else total += wordTokens(text, position, end) * (isMarked(text, position, end) ? 1.5 : 1);
    position = end;
  }
  return length === 0 ? 0 : Math.ceil(total) + 1;
}

/** Whether ASCII letters and digits are of the kind. */
function isWordKind(kind: number): boolean {
  return kind === digit || kind === lower || kind === upper;
}

/** The end of a run of one and the same character. */
function endOfSame(text: string, start: number): number {
  const unit = text.charCodeAt(start);
  let end = start + 1;
  while (text.charCodeAt(end) === unit) end += 1;
  return end;
}

/** The end of a run of ASCII letters and digits. */
function endOfWord(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    if (unit >= 0x80) break;
    const kind = asciiKinds[unit] ?? 0;
    if (!isWordKind(kind)) break;
  }
  return end;
}

/** Whether a letter with a mark stands beside, which parts a word in more tokens than its length tells. */
function isMarked(text: string, start: number, end: number): boolean {
  return text.charCodeAt(start - 1) >= 0xc0 || text.charCodeAt(end) >= 0xc0;
}

/**
 * One space goes with the word behind it, but not with a number; lines and indentation are tokens of their
 * own.
 */
function blankTokens(text: string, start: number, end: number): number {
  const length = end - start;
  if (text.charCodeAt(start) !== 0x20) return (1 + length) / 2;
  const alone = asciiKinds[text.charCodeAt(end)] === digit ? 1 : 0;
  return alone + (length === 1 ? 0 : 1 + length / 16);
}

function wordTokens(text: string, start: number, end: number): number {
  let total = 0;
  let changes = 0;
  let digits = false;
  let runStart = start;
  let previous = asciiKinds[text.charCodeAt(start)] ?? 0;
  for (let position = start + 1; position <= end; position += 1) {
    const kind = position < end ? (asciiKinds[text.charCodeAt(position)] ?? 0) : 0;
    if (kind === previous) continue;
    digits ||= kind === digit;
    // A capital and the small letters behind it are one word.
    const titled = previous === upper && kind === lower && position - runStart === 1;
    if (!titled) {
      total += runTokens(previous, position - runStart);
      runStart = position;
      changes += 1;
    }
    previous = kind;
  }
  const length = end - start;
  const share = changes / length;
  const encoded =
    (length >= encodedLength && share > encodedChanges) ||
    (length > longestWord && share > encodedChangesOfLong && digits);
  return encoded ? Math.max(total, length * encodedTokens) : total;
}

function runTokens(kind: number, length: number): number {
  if (kind === digit) return Math.ceil(length / 2);
  if (length > longestWord) return length * letterTokens;
  if (kind === upper && length > 1) return Math.ceil(length / 2);
  return Math.ceil(length / lettersOfToken);
}
