import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './support/imports.js';
import { packages } from './support/packages.js';
import { readText, root } from './support/repository.js';

/** Packages that users never import: they come along as dependencies. */
const innerParts = ['@minne/sqlite'];

const installScripts = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];

describe.each(packages)('packages/$id', ({ id, manifest, sources }) => {
  it('has the manifest of a published package', () => {
    expect(manifest).toMatchObject({
      name: `@minne/${id}`,
      license: 'MIT',
      type: 'module',
      sideEffects: false,
      files: ['dist', 'src'],
      publishConfig: { access: 'public', provenance: true },
      repository: { directory: `packages/${id}` },
    });
    expect(manifest['private']).toBeUndefined();
    expect(manifest['description']).toMatch(/^[A-Z].+\.$/);
  });

  it('asks for the Node that its sources need', () => {
    const usesSqlite = sources.some((path) =>
      importsOf(readText(path)).some(({ specifier }) => /^(node:|@minne\/)sqlite$/.test(specifier)),
    );
    expect(manifest.engines).toEqual({ node: usesSqlite ? '>=24' : '>=22.13' });
  });

  it('exports each entry point as source, types and module', () => {
    const { './package.json': ownManifest, ...entries } = manifest.exports ?? {};
    expect(ownManifest).toBe('./package.json');
    expect(Object.keys(entries)).not.toHaveLength(0);
    for (const entry of Object.values(entries)) {
      const source = typeof entry === 'string' ? entry : (entry['@minne/source'] ?? '');
      expect(existsSync(join(root, 'packages', id, source)), source).toBe(true);
      const built = source.replace(/^\.\/src\/(.+)\.ts$/, './dist/$1');
      // A resolver takes the first condition that it knows, so the order is part of the contract.
      expect(Object.entries(entry)).toEqual([
        ['@minne/source', source],
        ['types', `${built}.d.ts`],
        ['default', `${built}.js`],
      ]);
    }
  });

  it('runs nothing when it is installed', () => {
    const scripts = Object.keys(manifest.scripts ?? {});
    expect(scripts.filter((name) => installScripts.includes(name))).toEqual([]);
  });

  it('is built by tsc and checked as a package', () => {
    expect(manifest.scripts).toMatchObject({
      build: 'tsc --project tsconfig.build.json',
      'check:package': 'publint --strict && attw --pack . --profile esm-only',
    });
    expect(existsSync(join(root, 'packages', id, 'tsconfig.build.json'))).toBe(true);
  });

  it('takes other packages of Minne as peers of a written-out range, unless they are its inner parts', () => {
    for (const [name, range] of Object.entries(manifest.dependencies ?? {})) {
      if (!name.startsWith('@minne/')) continue;
      expect(innerParts).toContain(name);
      expect(range, name).toBe('workspace:^');
    }
    for (const [name, range] of Object.entries(manifest.peerDependencies ?? {})) {
      if (!name.startsWith('@minne/')) continue;
      expect(range, name).toMatch(/^>=\d+\.\d+\.\d+ <\d+\.0\.0$/);
      expect(manifest.devDependencies?.[name], name).toBe('workspace:*');
    }
  });

  it('has a README of its own, linked from the root README', () => {
    expect(readText(`packages/${id}/README.md`)).toMatch(new RegExp(`^# @minne/${id}\n`));
    expect(readText('README.md')).toContain(`[\`@minne/${id}\`](packages/${id}/README.md)`);
  });
});
