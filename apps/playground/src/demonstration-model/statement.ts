import { singular, slug } from './words.js';

/** Something a person said about themselves, as it is to be saved. */
export interface Statement {
  readonly path: string;
  /** In the person's own words. */
  readonly content: string;
  readonly description: string;
}

interface Rule {
  /** Its first group tells what is remembered, its last one what that is about. */
  readonly pattern: RegExp;
  /** Where it is saved, by what the pattern caught last. */
  path(subject: string): string;
  readonly label: string;
}

const adverbs = '(?:(?:really|also|still|usually|always|often|generally|mostly|just|only) )*';
const negation = "(?:do not|don't|no longer|never|cannot|can't)";
const liking = '(?:like|love|adore|enjoy|eat|drink)';
const disliking = '(?:hate|dislike|avoid)';
const having = '(?:have|own|speak|play|use|drive|need|collect|teach)';

/** One prefers one thing of a kind, so the kind names it: a new preference replaces the old. */
const pathOfKind = (what: string) => `/preferences/${slug(singular(headNoun(what)))}`;
const pathOfThing = (what: string) => `/preferences/${slug(mainPart(what))}`;

/** The first rule that fits counts. */
const rules: readonly Rule[] = [
  {
    pattern: /^(?:my name is|call me|i am called|i'm called|i am named) (.+)$/i,
    path: () => '/profile/name',
    label: 'Name',
  },
  {
    pattern: /^(?:i'm|i am) allergic to (.+)$/i,
    path: (what) => `/health/allergy-${slug(what)}`,
    label: 'Allergy',
  },
  {
    pattern: /^(?:i live in|i'm from|i am from|i come from|i moved to) (.+)$/i,
    path: () => '/profile/home',
    label: 'Home',
  },
  {
    pattern: /^i (?:work|study) (?:as|at|for|in|with) (.+)$/i,
    path: () => '/profile/work',
    label: 'Work',
  },
  {
    pattern: /^(?:i'm|i am) (\d+)(?: years old)?$/i,
    path: () => '/profile/age',
    label: 'Age',
  },
  {
    pattern:
      /^(?:i'm|i am) (an? .+|vegetarian|vegan|married|single|retired|left-handed|colou?r-?blind)$/i,
    path: (what) => `/profile/${slug(what.replace(/^an? /i, ''))}`,
    label: 'Profile',
  },
  {
    pattern: /^my (favou?rite (.+?) (?:is|are) .+)$/i,
    path: (what) => `/preferences/${slug(singular(what))}`,
    label: 'Preference',
  },
  {
    pattern: /^my ((.+?) (?:is|are|was|were) .+)$/i,
    path: (what) => `/facts/${slug(what)}`,
    label: 'Fact',
  },
  {
    pattern: new RegExp(`^i ${adverbs}(?:prefer|favou?r) (.+)$`, 'i'),
    path: pathOfKind,
    label: 'Preference',
  },
  {
    pattern: new RegExp(`^i ${adverbs}${negation} ${adverbs}(?:prefer|favou?r) (.+)$`, 'i'),
    path: pathOfKind,
    label: 'Dislike',
  },
  {
    pattern: new RegExp(`^i ${adverbs}${liking} (.+)$`, 'i'),
    path: pathOfThing,
    label: 'Preference',
  },
  {
    pattern: new RegExp(
      `^i ${adverbs}(?:${disliking}|${negation} ${adverbs}(?:${liking}|stand)) (.+)$`,
      'i',
    ),
    path: pathOfThing,
    label: 'Dislike',
  },
  {
    pattern: new RegExp(
      `^i(?:'ve)? ((?:(?<='ve )got|${adverbs}(?:${negation} )?${having}) (.+))$`,
      'i',
    ),
    path: (what) => `/facts/${slug(mainPart(what.replace(/^(?:an?|the|my|some) /i, '')))}`,
    label: 'Fact',
  },
];

const request =
  /^(?:please )?(?:remember|note|keep in mind|(?:don't|do not|never) forget)(?: that|:|,)? +/i;

/** What a text states about the person who wrote it, one item for each clause that does. */
export function findStatements(text: string): Statement[] {
  const statements: Statement[] = [];
  for (const clause of clauses(text)) {
    const plain = clause.replace(request, '');
    const statement = byRule(plain) ?? (plain === clause ? undefined : note(plain));
    if (statement !== undefined) statements.push(statement);
  }
  return statements;
}

function byRule(clause: string): Statement | undefined {
  for (const rule of rules) {
    const match = rule.pattern.exec(clause);
    if (match === null) continue;
    const [told = '', subject = told] = match.slice(1);
    return {
      path: rule.path(subject),
      content: sentence(clause),
      description: describe(rule, told),
    };
  }
  return undefined;
}

function describe({ label }: Rule, told: string): string {
  return `${label}: ${[...told].slice(0, 120).join('')}`;
}

function note(text: string): Statement {
  return { path: `/notes/${slug(text)}`, content: sentence(text), description: 'Note' };
}

/** Parts of a text that can each state something. Questions state nothing. */
function clauses(text: string): string[] {
  return text
    .replaceAll('’', "'")
    .split(/(?<=[.!?;])\s+|\n+/)
    .filter((part) => !part.trim().endsWith('?'))
    .flatMap((part) => part.split(/,? (?:and|but) (?=(?:i|i'm|i've|my) )/i))
    .map((part) => part.trim().replace(/[.!;,\s]+$/, ''))
    .map((part) => part.replace(/^(?:hello|hi|hey|well|so|yes|no|ok|okay|by the way)[,!.]? +/i, ''))
    .filter((part) => part !== '');
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** "aisle seats on long flights" → "aisle seats". */
function mainPart(text: string): string {
  const [main = text] = text.split(
    / (?:on|in|at|for|with|to|over|than|when|while|because|since|if|but|and|as|more|very|instead|rather|from|during)\b/i,
  );
  return main;
}

/** "aisle seats on long flights" → "seats". */
function headNoun(text: string): string {
  return mainPart(text).trim().split(/\s+/).at(-1) ?? text;
}
