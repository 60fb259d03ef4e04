import { homedir, tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readText, root, sourceFiles } from './support/repository.js';

interface LocalFact {
  readonly what: string;
  readonly pattern: RegExp;
  /** Files that may hold it. */
  readonly except?: RegExp;
}

/** Tests may make up a path. */
const madeUp = /\.test\.ts$/;

/** What only holds on one machine or in one network. */
const localFacts: readonly LocalFact[] = [
  { what: 'the folder of this checkout', pattern: literal(`${root}/`) },
  { what: 'the folder for temporary files', pattern: literal(`${tmpdir()}/`), except: madeUp },
  { what: 'a home directory', pattern: literal(`${homedir()}/`), except: madeUp },
  { what: 'a home directory', pattern: /(?<![\w./-])\/(?:home|Users)\/[\w.-]+\//, except: madeUp },
  { what: 'a home directory', pattern: /\b[A-Z]:\\+Users\\/i, except: madeUp },
  { what: 'the host of a package registry', pattern: /\bregistry\.[a-z0-9-]+\.[a-z]{2,}/i },
  { what: 'a package taken from an address', pattern: /\btarball: *https?:/ },
];

describe('the files of the repository', () => {
  const files = sourceFiles('**/*');

  it('are found', () => {
    expect(files).toEqual(expect.arrayContaining(['package.json', 'tests/repository.test.ts']));
    expect(files.filter((path) => /node_modules|\/dist\//.test(path))).toEqual([]);
  });

  it.each(localFacts)('do not hold $what ($pattern)', ({ pattern, except }) => {
    const found = files
      .filter((path) => !except?.test(path))
      .filter((path) => pattern.test(readText(path)));
    expect(found).toEqual([]);
  });

  it('would be caught when they did', () => {
    const text = [
      `see ${root}/docs and ${tmpdir()}/x and ${homedir()}/y`,
      ['', 'home', 'someone', 'z'].join('/'),
      ['C:', 'Users', 'someone'].join('\\'),
      ['https://registry', 'example', 'org'].join('.'),
      ['tarball:', 'https://example.org/a.tgz'].join(' '),
    ].join('\n');
    for (const { what, pattern } of localFacts) expect(text, what).toMatch(pattern);
  });
});

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
