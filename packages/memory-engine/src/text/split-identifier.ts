/**
 * The parts of a word that joiners or its case divide: `can't`, `mk7-router`, `getUserName`,
 * `HTTPServer`, `v1.2`. One part when nothing divides it.
 *
 * English endings after an apostrophe are no parts: `n't` belongs to the word (`can't` is `cant`),
 * `'s`, `'re`, `'ve`, `'ll`, `'d` and `'m` are dropped.
 */
export function splitIdentifier(word: string): readonly string[] {
  if (!divided.test(word)) return [word];
  return word
    .replace(droppedEnding, '')
    .replace(keptEnding, '$1')
    .split(joiners)
    .flatMap((part) => part.split(caseChange));
}

const droppedEnding = /'(?:s|re|ve|ll|d|m)$/iu;
const keptEnding = /'(t)$/iu;
const joiners = /_+|[-.']/u;
const caseChange = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
const divided = /[-_.']|[\p{Ll}\p{N}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
