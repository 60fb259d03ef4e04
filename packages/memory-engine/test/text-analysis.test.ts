import { describe, expect, it } from 'vitest';
import { analyseDocument, analyseQuery } from '../src/text/analyse.js';

const terms = (text: string) => [...analyseDocument([text]).counts.keys()];

describe('words', () => {
  it('are told apart by what is no letter or digit, and reduced to their stem', () => {
    expect(terms('Trees, hiking; (2 cats) ~ 3.5!')).toEqual([
      'tree',
      'hike',
      '2',
      'cat',
      '3',
      '5',
      '35',
    ]);
  });

  it('are found under both spellings of what means the same', () => {
    const spellings: readonly (readonly [string, string])[] = [
      ['cr\u00eape', 'cre\u0302pe'],
      ['crêpe', 'crepe'],
      ['ＱＲ７', 'QR7'],
      ['שָׁלוֹם', 'שלום'],
      ['مَرْحَبًا', 'مرحبا'],
      ['ΟΔΟΣ', 'οδός'],
      ['STRASSE', 'straße'],
      ['İSTANBUL', 'istanbul'],
      ['ﬁle', 'file'],
      ['co\u00adoperate', 'cooperate'],
      ['Łódź', 'lodz'],
      ['don’t', "don't"],
      ['зелёный', 'зеленый'],
      ['الأسعار', 'الاسعار'],
      ['مـــرحبا', 'مرحبا'],
      ['کتابی', 'كتابي'],
      ['مدرسة', 'مدرسه'],
      ['٢٠٢٦', '2026'],
      ['۲۰۲۶', '2026'],
      ['२०२६', '2026'],
      ['๒๐๒๖', '2026'],
    ];
    for (const [one, other] of spellings) expect(terms(one), one).toEqual(terms(other));
  });

  it('keep marks that make another word of them', () => {
    const different: readonly (readonly [string, string])[] = [
      ['が', 'か'],
      ['ที่', 'ที'],
      ['мой', 'мои'],
      ['कि', 'क'],
    ];
    for (const [one, other] of different) expect(terms(one), one).not.toEqual(terms(other));
  });

  it('have an English contraction as a whole and a possessive as its owner', () => {
    expect(terms("can't")).toEqual(['cant']);
    expect(terms("Caroline's")).toEqual(terms('Caroline'));
    expect(terms("she'll")).toEqual(['she']);
    expect(terms("O'Brien")).toEqual(['o', 'brien', 'obrien']);
  });

  it('keep their marks and their parts when they are identifiers', () => {
    expect(terms('getUserName')).toEqual(['get', 'user', 'name', 'getusernam']);
    expect(terms('get_user_name')).toEqual(terms('getUserName'));
    expect(terms('HTTPServer')).toEqual(['http', 'server', 'httpserver']);
    expect(terms('mk7-router')).toEqual(['mk7', 'router', 'mk7router']);
    expect(terms('__init__')).toEqual(['init']);
    expect(terms('a.b')).toEqual(['a', 'b', 'ab']);
  });

  it('are pairs of characters where a script puts no spaces, and single ones', () => {
    expect(terms('黄山日')).toEqual(['黄山', '山日', '黄', '山', '日']);
    expect(terms('도서관')).toEqual(['도서', '서관', '도', '서', '관']);
    expect(terms('ルーター')).toEqual(['ルー', 'ータ', 'ター', 'ル', 'ー', 'タ']);
    expect(terms('ที่อยู่')).toEqual(['ที่อ', 'อยู่', 'ที่', 'อ', 'ยู่']);
  });

  it('are found without the article that Arabic and Hebrew write as a part of them', () => {
    expect(terms('الكلب')).toEqual(['الكلب', 'كلب']);
    expect(terms('والكلب')).toEqual(['والكلب', 'كلب']);
    expect(terms('הכלב')).toEqual(['הכלב', 'כלב']);
    expect(terms('והכלב')).toEqual(['והכלב', 'הכלב', 'כלב']);
    // Of what is too short to have an article, nothing is left out.
    expect(terms('الله')).toEqual(['الله']);
    expect(terms('הוא')).toEqual(['הוא']);
  });

  it('are taken apart in no time, however many marks a letter has', () => {
    const begun = performance.now();
    const marks = '\u0f73'.repeat(80_000);
    expect(terms(`a${marks} tree`)).toContain('tree');
    expect(performance.now() - begun).toBeLessThan(2_000);
    const few = 'a\u0323\u0307\u0301';
    expect(terms(few)).toEqual(['a']);
  });

  it('end where the script changes', () => {
    expect(terms('部署mk7-router后3台')).toEqual([
      '部署',
      '部',
      '署',
      'mk7',
      'router',
      'mk7router',
      '后',
      '3',
      '台',
    ]);
  });

  it('are emoji too, in whatever shade', () => {
    expect(terms('👍🏽 ❤️ 🇸🇪 👩‍🚀')).toEqual(['👍', '❤', '🇸🇪', '👩', '🚀']);
    expect(terms('👍')).toEqual(['👍']);
  });

  it('keep square brackets beside the plain word', () => {
    expect(terms('[RULE] lock it')).toEqual(['rule', '[rule]', 'lock', 'it']);
  });

  it('are cut when they are very long, alike in texts and queries', () => {
    const long = `${'a'.repeat(63)}😀`.repeat(3);
    expect(terms('b'.repeat(5000))).toEqual(['b'.repeat(64)]);
    expect([...analyseQuery(long).keys()]).toEqual(terms(long));
  });
});

describe('the length of a text', () => {
  it('counts words once, and stop words not at all', () => {
    expect(analyseDocument(['The cat sat on the mat']).length).toBe(3);
    expect(analyseDocument(['getUserName']).length).toBe(3);
    expect(analyseDocument(['黄山日出']).length).toBe(3);
    expect(analyseDocument(['a cat', 'the dog']).length).toBe(2);
  });
});

describe('a query', () => {
  it('leaves stop words out unless there is nothing else', () => {
    expect([...analyseQuery('What is the password of the router?').keys()]).toEqual([
      'password',
      'router',
    ]);
    expect([...analyseQuery('To be or not to be').keys()]).toEqual(['to', 'be', 'or', 'not']);
  });

  it('weighs small words of other languages less, and as ever where there is nothing else', () => {
    const weights = analyseQuery('Und wann ist der Flug?');
    expect(weights.get('flug')).toBe(1);
    for (const word of ['und', 'wann', 'ist', 'der']) expect(weights.get(word), word).toBe(0.25);
    expect(analyseQuery('the war on his son').get('war')).toBe(1);
    expect(new Set(analyseQuery('der die das').keys())).toEqual(new Set(['der', 'die', 'das']));
  });

  it('weighs a repeated word by the square root', () => {
    expect(analyseQuery('cat cat cat cat dog')).toEqual(
      new Map([
        ['cat', 2],
        ['dog', 1],
      ]),
    );
  });

  it('looks for pairs of characters where the script has them, and for a single one where it stands alone', () => {
    expect([...analyseQuery('黄山 书').keys()]).toEqual(['黄山', '书']);
  });

  it('has no terms without letters, digits and emoji', () => {
    for (const text of ['@@@@', '***', '()', '""', '---', '_', '\u0301', '。、']) {
      expect(analyseQuery(text).size, text).toBe(0);
    }
  });
});
