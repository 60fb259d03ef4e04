import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { packages } from './packages.js';
import { root, sourceFiles } from './repository.js';

/**
 * A new folder in which a snippet finds all that it may import: the published packages, and whatever
 * any package of the workspace installs. Its maker removes it.
 */
export function createSnippetFolder(purpose: string): string {
  const folder = join(root, '.snippets', `${process.pid}-${purpose}`);
  const modules = join(folder, 'node_modules');
  mkdirSync(folder, { recursive: true });
  for (const { id, manifest } of packages) link(modules, manifest.name, join(root, 'packages', id));
  for (const manifest of sourceFiles('*/*/package.json')) {
    const installed = join(root, dirname(manifest), 'node_modules');
    if (!existsSync(installed)) continue;
    for (const name of installedNames(installed)) link(modules, name, join(installed, name));
  }
  return folder;
}

function installedNames(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`)
        : [name],
    );
}

function link(folder: string, name: string, target: string): void {
  const path = join(folder, name);
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(realpathSync(target), path, 'junction');
}
