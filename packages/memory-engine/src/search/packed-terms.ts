/**
 * The terms of a text in one string, which is small to keep and quick to look through: each is
 * preceded by a line feed, and followed by one or, where it occurs more than once, by a tab and its count.
 * A term holds neither.
 */
export function packTerms(counts: ReadonlyMap<string, number>): string {
  let packed = '\n';
  for (const [term, count] of counts) {
    packed += count === 1 ? `${term}\n` : `${term}\t${count}\n`;
  }
  return packed;
}

const lineFeed = 10;
const tab = 9;

/** How often the text has this term. */
export function countTerm(packed: string, term: string): number {
  for (let at = packed.indexOf(term); at !== -1; at = packed.indexOf(term, at + 1)) {
    // What begins or ends elsewhere is a part of another term.
    if (packed.charCodeAt(at - 1) !== lineFeed) continue;
    const end = at + term.length;
    const next = packed.charCodeAt(end);
    if (next === lineFeed) return 1;
    if (next === tab) return Number.parseInt(packed.slice(end + 1), 10);
  }
  return 0;
}

/** Every term with its count. */
export function* unpackTerms(packed: string): Generator<readonly [term: string, count: number]> {
  for (const part of packed.slice(1, -1).split('\n')) {
    const divider = part.indexOf('\t');
    if (divider !== -1)
      yield [part.slice(0, divider), Number.parseInt(part.slice(divider + 1), 10)];
    else if (part !== '') yield [part, 1];
  }
}
