/** Words that ask or connect and name nothing that could be remembered. */
const emptyWords = new Set(
  `a about all am an and any are as at be been before best by can could did do does for from get
  give had has have how i if in is it know kind like likes love me memories memory mention mentioned
  mine my of on or please prefer preference preferred prefers remember remembers said say should so
  some something sort tell than that the their them there they thing things this to told type us was
  we were what when where which who whom whose why will with would you your yours favorite favourite
  d ll m re s t ve`.split(/\s+/),
);

/** The words of a text in lower case, without accents. */
function words(text: string): string[] {
  const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words that say what a text is about. */
export function contentWords(text: string): string[] {
  return words(text).filter((word) => !emptyWords.has(word));
}

/** A word without its commonest English endings, so that "seats" meets "seat". */
function stem(word: string): string {
  if (word.length < 4) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(sh|ch|x|ss)es$/, '$1')
    .replace(/([^s])s$/, '$1')
    .replace(/(..)(ing|ed)$/, '$1')
    .replace(/(..)e$/, '$1');
}

/** How many of the wanted words a text has. */
export function overlap(wanted: readonly string[], text: string): number {
  const present = new Set(words(text).map(stem));
  return new Set(wanted.map(stem).filter((word) => present.has(word))).size;
}

const maximumSlugLength = 48;

/** A text as one segment of a path: lower case, words joined by hyphens. */
export function slug(text: string): string {
  const parts: string[] = [];
  let length = 0;
  for (const word of text
    .normalize('NFC')
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    length += word.length + 1;
    if (length > maximumSlugLength && parts.length > 0) break;
    parts.push([...word].slice(0, maximumSlugLength).join(''));
  }
  return parts.join('-') || 'note';
}

/** The plain singular of an English noun, as far as a rule can tell. */
export function singular(noun: string): string {
  if (/(ss|us|is)$/i.test(noun) || noun.length < 4) return noun;
  return noun
    .replace(/ies$/i, 'y')
    .replace(/(sh|ch|x|ss)es$/i, '$1')
    .replace(/s$/i, '');
}
