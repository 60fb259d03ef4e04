import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf, packageNameOf } from './support/imports.js';
import { packages } from './support/packages.js';
import { readText, root } from './support/repository.js';

/** What the sources of each package may import of Minne. A new package gets a line here. */
const allowedImports: Readonly<Record<string, readonly string[]>> = {
  core: [],
  reducers: ['core'],
  'history-inmemory': ['core'],
  sqlite: ['core'],
  'history-sqlite': ['core', 'sqlite'],
  'history-redis': ['core'],
  'history-postgres': ['core'],
  'history-encrypted': ['core'],
  'session-file': ['core'],
  'session-sqlite': ['core', 'sqlite'],
  'chat-openai': ['core'],
  'openai-agents': ['core'],
  'context-mem0': ['core'],
  'memory-engine': ['core'],
  'memory-sqlite': ['core', 'memory-engine', 'sqlite'],
  'memory-server': ['core', 'memory-engine'],
  'memory-tools': ['core'],
  conformance: ['core', 'memory-engine'],
};

describe.each(packages)('packages/$id', ({ id, manifest, sources, tests }) => {
  const declared = [
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ];

  it('imports only the packages below it', () => {
    const allowed = allowedImports[id]?.map((name) => `@minne/${name}`);
    const used = packagesUsedBy(sources).filter((name) => name.startsWith('@minne/'));
    expect(allowed, 'a line in allowedImports').toBeDefined();
    expect(used.filter((name) => !allowed?.includes(name))).toEqual([]);
  });

  it('declares what its sources use, and nothing else but what fits in without being imported', () => {
    const used = packagesUsedBy(sources);
    expect(used.filter((name) => !declared.includes(name))).toEqual([]);
    const optional = Object.keys(manifest['peerDependenciesMeta'] ?? {});
    const needed = declared.filter((name) => !optional.includes(name));
    expect(needed.filter((name) => !used.includes(name))).toEqual([]);
  });

  it('declares what its tests use', () => {
    const all = [...declared, ...Object.keys(manifest.devDependencies ?? {}), manifest.name];
    // The root brings the test tools to every package.
    const tools = Object.keys(JSON.parse(readText('package.json')).devDependencies);
    const undeclared = packagesUsedBy(tests).filter((name) => ![...all, ...tools].includes(name));
    expect(undeclared).toEqual([]);
  });

  it('imports its own files by the path of the built file, and no file of another package', () => {
    for (const path of [...sources, ...tests]) {
      for (const specifier of relativeImportsOf(path)) {
        expect(specifier, path).toMatch(/\.(js|json)$/);
        const target = targetOf(path, specifier);
        expect(target, path).toMatch(new RegExp(`^packages/${id}/`));
        expect(existsSync(join(root, target)), `${path}: ${specifier}`).toBe(true);
      }
    }
  });

  it('names each export', () => {
    for (const path of sources) {
      expect(readText(path), path).not.toMatch(/^export (?:\*|default\b)/m);
    }
  });
});

describe('the main entry of core', () => {
  it('loads no package, zod least of all', () => {
    const reached = reachedFrom('packages/core/src/index.ts');
    expect(reached.size).toBeGreaterThan(10);
    for (const [path, chain] of reached) {
      const loaded = loadedBy(path).filter((name) => packageNameOf(name) !== undefined);
      expect(loaded, chain.join(' → ')).toEqual([]);
    }
  });
});

describe('reading imports', () => {
  it('finds each form and tells types from values', () => {
    const source = [
      "import value from 'a';",
      "import type { A } from 'b';",
      "import { type B, c } from '@d/e/f';",
      'import {',
      '  g,',
      "} from './h.js';",
      "import 'i';",
      "export { j } from 'k';",
      "export type { L } from 'm';",
      "const n = await import('o');",
      "import type from 'p';",
      '/**',
      " * import { q } from 'r';",
      ' */',
      "// import 's';",
      "export const t = from('u');",
    ].join('\n');
    expect(importsOf(source).map(({ specifier, kind }) => [specifier, kind])).toEqual([
      ['a', 'value'],
      ['b', 'type'],
      ['@d/e/f', 'value'],
      ['./h.js', 'value'],
      ['i', 'value'],
      ['k', 'value'],
      ['m', 'type'],
      ['p', 'value'],
      ['o', 'lazy'],
    ]);
    expect(packageNameOf('@d/e/f')).toBe('@d/e');
    expect(packageNameOf('zod/mini')).toBe('zod');
    expect(packageNameOf('node:fs')).toBeUndefined();
    expect(packageNameOf('./h.js')).toBeUndefined();
  });
});

function packagesUsedBy(paths: readonly string[]): readonly string[] {
  const names = paths
    .flatMap((path) => importsOf(readText(path)))
    .map(({ specifier }) => packageNameOf(specifier))
    .filter((name) => name !== undefined);
  return [...new Set(names)].sort();
}

function relativeImportsOf(path: string): readonly string[] {
  return importsOf(readText(path))
    .map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith('.'));
}

function loadedBy(path: string): readonly string[] {
  return importsOf(readText(path))
    .filter(({ kind }) => kind === 'value')
    .map(({ specifier }) => specifier);
}

/** Every source that loading `entry` loads, with the chain of files that leads to it. */
function reachedFrom(entry: string): ReadonlyMap<string, readonly string[]> {
  const reached = new Map<string, readonly string[]>([[entry, [entry]]]);
  for (const [path, chain] of reached) {
    for (const specifier of loadedBy(path)) {
      if (!specifier.startsWith('.')) continue;
      const target = targetOf(path, specifier);
      if (!reached.has(target)) reached.set(target, [...chain, target]);
    }
  }
  return reached;
}

function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier).replace(/\.js$/, '.ts');
}
