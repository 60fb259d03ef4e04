/** A fenced block of TypeScript in a document. */
export interface Snippet {
  /** Line of the first line of code in the document, from 1. */
  readonly line: number;
  readonly code: string;
}

const fence =
  /^(?<indent>[ \t]*)```(?:ts|typescript)\b(?<info>[^\n]*)\n(?<code>[\s\S]*?)^[ \t]*```[ \t]*$/gm;

/** The TypeScript blocks of a document, but for those whose fence says `no-check`. */
export function snippetsOf(markdown: string): readonly Snippet[] {
  const snippets: Snippet[] = [];
  for (const match of markdown.matchAll(fence)) {
    const { info = '', code = '' } = match.groups ?? {};
    if (info.trim() === 'no-check') continue;
    snippets.push({ line: markdown.slice(0, match.index).split('\n').length + 1, code });
  }
  return snippets;
}

/** The targets of the links and images of a document, as written, code left out. */
export function linksOf(markdown: string): readonly string[] {
  const text = withoutCode(markdown);
  return [...text.matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(
    ({ groups }) => groups?.['target'] ?? '',
  );
}

/** The fragments under which the headings of a document can be linked. */
export function anchorsOf(markdown: string): readonly string[] {
  const headings = withoutCode(markdown, { keepInline: true }).matchAll(
    /^#{1,6}\s+(?<title>.+)$/gm,
  );
  return [...headings].map(({ groups }) =>
    (groups?.['title'] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}

function withoutCode(markdown: string, { keepInline = false } = {}): string {
  const text = markdown.replace(/^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$/gm, '');
  return keepInline ? text : text.replace(/`[^`\n]*`/g, '');
}
