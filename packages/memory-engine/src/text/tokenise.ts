import { withoutAttachedWords } from './attached-words.js';
import { foldText } from './fold.js';
import { splitIdentifier } from './split-identifier.js';

/** A piece of text that can be searched for, in the case it was written in. */
export interface Token {
  readonly text: string;
  /**
   * `word`: counts as one word of the text. `whole`: another name of the word before it, found under both.
   * `character`: a single character of a run that its pairs already cover.
   */
  readonly kind: 'word' | 'whole' | 'character';
}

/**
 * Divides a text into tokens; what is neither letter, digit nor emoji divides and is dropped.
 *
 * - Scripts that put no space between words, and Hangul, whose words carry their particles, give
 *   pairs of neighbouring characters: no dictionary, and a part of a word finds it.
 *   The single characters follow, so that a query of one character finds them.
 * - Elsewhere a word is a run of letters and digits. One with joiners or mixed case gives its parts
 *   and then the whole without joiners: `mk7-router` is found as mk7, router and mk7router.
 * - A word of Arabic or Hebrew is found without its article, too.
 * - A word in square brackets is found with them as well, for tags such as `[RULE]`.
 */
export function* tokenise(text: string): Generator<Token> {
  const folded = foldText(text);
  for (const match of folded.matchAll(tokens)) {
    const { run, word, emoji } = match.groups ?? {};
    if (run !== undefined) yield* pairs(run);
    else if (word !== undefined) {
      yield* parts(word);
      if (folded[match.index - 1] === '[' && folded[match.index + word.length] === ']') {
        yield { text: `[${word}]`, kind: 'whole' };
      }
    } else if (emoji !== undefined) yield { text: emoji, kind: 'word' };
  }
}

function* pairs(run: string): Generator<Token> {
  // A character with its marks is one: a tone or vowel sign alone means nothing.
  const characters = run.match(/\P{M}\p{M}*/gu) ?? [];
  const [only] = characters;
  if (only !== undefined && characters.length === 1) {
    yield { text: only, kind: 'word' };
    return;
  }
  for (let index = 0; index + 1 < characters.length; index++) {
    yield { text: `${characters[index]}${characters[index + 1]}`, kind: 'word' };
  }
  for (const character of characters) yield { text: character, kind: 'character' };
}

function* parts(word: string): Generator<Token> {
  const found = splitIdentifier(word);
  for (const text of found) yield { text, kind: 'word' };
  if (found.length > 1) yield { text: found.join(''), kind: 'whole' };
  else for (const text of withoutAttachedWords(word)) yield { text, kind: 'whole' };
}

const paired = String.raw`[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]&&[\p{L}\p{M}\p{N}]]`;
const spaced = String.raw`[[\p{L}\p{N}]--${paired}][[\p{L}\p{M}\p{N}]--${paired}]*`;
const tokens = new RegExp(
  String.raw`(?<run>(?=\P{M})${paired}+)|(?<word>${spaced}(?:(?:_+|[\-.'])${spaced})*)|(?<emoji>\p{RI}{2}|\p{Extended_Pictographic})`,
  'gv',
);
