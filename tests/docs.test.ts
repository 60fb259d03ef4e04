import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileSnippets, type SnippetError } from './support/compile-snippets.js';
import { anchorsOf, linksOf, snippetsOf } from './support/markdown.js';
import { readText, root, sourceFiles } from './support/repository.js';

const documents = [
  ...sourceFiles('*.md'),
  ...sourceFiles('docs/**/*.md'),
  ...sourceFiles('{packages,apps,examples,tests}/*/README.md'),
];

describe.each(documents)('%s', (path) => {
  it('links only to what exists', () => {
    for (const target of linksOf(readText(path))) {
      if (/^[a-z]+:/.test(target)) continue;
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : posix.join(posix.dirname(path), file);
      expect(existsSync(join(root, linked)), target).toBe(true);
      if (anchor !== undefined && statSync(join(root, linked)).isFile()) {
        expect(anchorsOf(readText(linked)), target).toContain(anchor);
      }
    }
  });
});

describe('docs/', () => {
  it('is listed in its index', () => {
    const listed = linksOf(readText('docs/README.md')).map((target) => `docs/${target}`);
    const pages = documents.filter((path) => path.startsWith('docs/') && path !== 'docs/README.md');
    expect(pages.filter((path) => !listed.includes(path))).toEqual([]);
  });
});

describe('docs snippets compiled', () => {
  const snippets = new Map(documents.map((path) => [path, snippetsOf(readText(path))]));
  const wrong = '```ts\nconst text: string = 1;\n```';
  let errors: readonly SnippetError[] = [];

  beforeAll(async () => {
    errors = await compileSnippets(new Map([...snippets, ['wrong', snippetsOf(wrong)]]));
  }, 60_000);

  it.each(documents.filter((path) => snippets.get(path)?.length !== 0))('%s', (path) => {
    expect(errors.filter(({ document }) => document === path)).toEqual([]);
  });

  it('reports a wrong one by its line', () => {
    expect(errors.filter(({ document }) => document === 'wrong')).toEqual([
      { document: 'wrong', message: expect.stringMatching(/^wrong:2 error TS2322/) },
    ]);
  });
});

describe('reading Markdown', () => {
  const markdown = [
    '# A `b`: c',
    '[one](a.md) `[two](b.md)`',
    '```ts no-check',
    '[three](c.md)',
    '```',
    '- item',
    '  ```ts',
    '  const d = 1;',
    '  ```',
    '```js',
    'e();',
    '```',
  ].join('\n');

  it('finds snippets, links and anchors', () => {
    expect(snippetsOf(markdown)).toEqual([{ line: 8, code: '  const d = 1;\n' }]);
    expect(linksOf(markdown)).toEqual(['a.md']);
    expect(anchorsOf(markdown)).toEqual(['a-b-c']);
  });
});
