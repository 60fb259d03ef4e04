/**
 * What a word of Arabic or Hebrew may be without the article, preposition or conjunction that these
 * languages write as its beginning: `الكلب` is كلب with an article, `והכלב` is כלב with two such letters.
 * Nothing is known of the word, so each may also be wrong; at least three letters stay.
 */
export function withoutAttachedWords(word: string): readonly string[] {
  const arabic = /^(?:[وبكف]?ال|لل)(?=\p{Script=Arabic}{3,}$)/u.exec(word)?.[0];
  if (arabic !== undefined) return [word.slice(arabic.length)];
  const hebrew = /^[ושכ]?[בהלמ]?(?=\p{Script=Hebrew}{3,}$)/u.exec(word)?.[0] ?? '';
  return Array.from(hebrew, (_, index) => word.slice(index + 1));
}
