/** Cuts between characters: a chunk is JSON, so no character is ever torn inside one. */
export function cut(text: string, length: number): string[] {
  const characters = [...text];
  const result: string[] = [];
  for (let start = 0; start < characters.length; start += length) {
    result.push(characters.slice(start, start + length).join(''));
  }
  return result;
}
