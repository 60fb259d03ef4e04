/**
 * Reduces an English word to its stem, by the algorithm "English (Porter2)" of the Snowball project.
 * Takes lower-case `a` to `z`; anything else is returned as it is.
 */
export function stemEnglish(word: string): string {
  if (word.length <= 2 || !/^[a-z]+$/.test(word)) return word;
  const exception = exceptions.get(word);
  if (exception !== undefined) return exception;
  // Y stands for y as a consonant.
  let stem = word.replace(/^y|([aeiouy])y/g, '$1Y');
  const [r1, r2] = regions(stem);
  stem = plural(stem);
  if (finishedEarly.has(stem)) return stem;
  stem = pastAndParticiple(stem, r1);
  stem = stem.replace(/(?<=.[^aeiouy])[yY]$/, 'i');
  stem = derivation(stem, r1);
  stem = adjective(stem, r1, r2);
  stem = residue(stem, r2);
  stem = finalLetter(stem, r1, r2);
  return stem.toLowerCase();
}

const exceptions: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map(
    (word) => [word, word] as const,
  ),
]);
const finishedEarly: ReadonlySet<string> = new Set([
  'inning',
  'outing',
  'canning',
  'herring',
  'earring',
  'proceed',
  'exceed',
  'succeed',
]);

/** Where the regions begin in which suffixes may go: after the first, and after the second, vowel and consonant. */
function regions(word: string): [r1: number, r2: number] {
  const special = /^(?:gener|commun|arsen)/.exec(word)?.[0].length;
  const r1 = special ?? afterVowelAndConsonant(word, 0);
  return [r1, afterVowelAndConsonant(word, r1)];
}

function afterVowelAndConsonant(word: string, start: number): number {
  const found = word.slice(start).search(/[aeiouy][^aeiouy]/);
  return found === -1 ? word.length : start + found + 2;
}

function endsInShortSyllable(stem: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$|^[aeiouy][^aeiouy]$/.test(stem);
}

function plural(stem: string): string {
  if (stem.endsWith('sses')) return stem.slice(0, -2);
  if (/ie[ds]$/.test(stem)) return stem.slice(0, stem.length > 4 ? -2 : -1);
  if (/[us]s$/.test(stem)) return stem;
  return stem.replace(/(?<=[aeiouy].+)s$/, '');
}

function pastAndParticiple(stem: string, r1: number): string {
  const complete = /eed(?:ly)?$/.exec(stem);
  if (complete !== null) {
    return complete.index >= r1 ? `${stem.slice(0, complete.index)}ee` : stem;
  }
  const base = /^(.*[aeiouy].*?)(?:ed|edly|ing|ingly)$/.exec(stem)?.[1];
  if (base === undefined) return stem;
  if (/(?:at|bl|iz)$/.test(base)) return `${base}e`;
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(base)) return base.slice(0, -1);
  return base.length <= r1 && endsInShortSyllable(base) ? `${base}e` : base;
}

type Rule = readonly [suffix: string, replacement: string, before?: RegExp];

// Longest suffix first: the first that fits decides, even if it may not go.
const derivations: readonly Rule[] = [
  ['ational', 'ate'],
  ['ization', 'ize'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og', /l$/],
  ['li', '', /[cdeghkmnrt]$/],
];
const adjectives: readonly Rule[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

function derivation(stem: string, r1: number): string {
  return replaceSuffix(stem, derivations, r1);
}

function adjective(stem: string, r1: number, r2: number): string {
  if (stem.endsWith('ative')) return stem.length - 5 >= r2 ? stem.slice(0, -5) : stem;
  return replaceSuffix(stem, adjectives, r1);
}

function replaceSuffix(stem: string, rules: readonly Rule[], region: number): string {
  for (const [suffix, replacement, before] of rules) {
    if (!stem.endsWith(suffix)) continue;
    const base = stem.slice(0, -suffix.length);
    const goes = base.length >= region && (before === undefined || before.test(base));
    return goes ? base + replacement : stem;
  }
  return stem;
}

function residue(stem: string, r2: number): string {
  const suffix =
    /(?:ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|ion|al|er|ic)$/.exec(stem);
  if (suffix === null || suffix.index < r2) return stem;
  const base = stem.slice(0, suffix.index);
  return suffix[0] === 'ion' && !/[st]$/.test(base) ? stem : base;
}

function finalLetter(stem: string, r1: number, r2: number): string {
  const base = stem.slice(0, -1);
  if (stem.endsWith('e')) {
    const goes = base.length >= r2 || (base.length >= r1 && !endsInShortSyllable(base));
    return goes ? base : stem;
  }
  return stem.endsWith('ll') && base.length >= r2 ? base : stem;
}
