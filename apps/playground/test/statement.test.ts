import { checkPath } from '@minne/core/memory';
import { describe, expect, it } from 'vitest';
import { findStatements } from '../src/demonstration-model/statement.js';

const pathsOf = (text: string) => findStatements(text).map(({ path }) => path);

describe('statements', () => {
  it.each([
    ['I prefer aisle seats', '/preferences/seat'],
    ['I really prefer window seats on long flights.', '/preferences/seat'],
    ['I like Thai food', '/preferences/thai-food'],
    ['I love hiking in the mountains!', '/preferences/hiking'],
    ['I don’t like peanuts', '/preferences/peanuts'],
    ['I no longer like peanuts', '/preferences/peanuts'],
    ['My favourite colour is blue', '/preferences/colour'],
    ['my favorite books are mysteries', '/preferences/book'],
    ['My name is Ada Lovelace', '/profile/name'],
    ['call me Ada', '/profile/name'],
    ['I live in Göteborg', '/profile/home'],
    ['I work as a nurse', '/profile/work'],
    ["I'm allergic to penicillin", '/health/allergy-penicillin'],
    ['I am a vegetarian', '/profile/vegetarian'],
    ['I am 36 years old', '/profile/age'],
    ["My sister's name is Eva", '/facts/sister-s-name'],
    ['I have two cats', '/facts/two-cats'],
    ['Hi! I speak Swedish', '/facts/swedish'],
    ['Please remember that the bins go out on Thursday', '/notes/the-bins-go-out-on-thursday'],
    ['Don’t forget that I prefer tea', '/preferences/tea'],
    ['My 犬 is 茶色', '/facts/犬'],
  ])('in “%s” are saved at %s', (text, path) => {
    expect(pathsOf(text)).toEqual([path]);
  });

  it('keep the words of the person', () => {
    expect(findStatements('hello, I prefer aisle seats on trains!')).toEqual([
      {
        path: '/preferences/seat',
        content: 'I prefer aisle seats on trains.',
        description: 'Preference: aisle seats on trains',
      },
    ]);
  });

  it.each([
    ['My favourite colour is blue', 'Preference: favourite colour is blue'],
    ['I don’t really like peanuts', 'Dislike: peanuts'],
    ['I hate rain', 'Dislike: rain'],
    ['I don’t prefer aisle seats', 'Dislike: aisle seats'],
    ['I like hiking', 'Preference: hiking'],
    ['My sister is called Eva', 'Fact: sister is called Eva'],
    ['I don’t have a car', "Fact: don't have a car"],
    ['I’ve got two cats', 'Fact: got two cats'],
  ])('of “%s” are described as “%s”', (text, description) => {
    expect(findStatements(text).map((statement) => statement.description)).toEqual([description]);
  });

  it('are found one by one', () => {
    expect(pathsOf('My name is Ada and I prefer aisle seats. I live in Lund; what a day!')).toEqual(
      ['/profile/name', '/preferences/seat', '/profile/home'],
    );
  });

  it.each([
    'What seat do I like?',
    'Do I prefer aisle seats?',
    'I am tired',
    'Tell me a story',
    'Ignore what I said',
    '',
    '?!',
    'It is raining',
  ])('are not seen in “%s”', (text) => {
    expect(pathsOf(text)).toEqual([]);
  });

  it.each([
    `I like ${'very '.repeat(3000)}long texts`,
    `I like ${'x'.repeat(30_000)}`,
    'I like ../../etc/passwd',
    'I like \u202eright to left\u200b and more',
    'I like C:\\temp',
    'My a/../b is here',
    'I like 🦊🦊',
    'remember that /// is odd',
  ])('have a path that every store takes (%#)', (text) => {
    const [statement] = findStatements(text);
    expect(checkPath(statement?.path)).toBe(statement?.path);
    expect(statement?.path.length).toBeLessThan(80);
    expect(statement?.description.length).toBeLessThan(400);
  });
});
