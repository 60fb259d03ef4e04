import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, without a slash at its end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

export function readText(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The files that git would track, by path from the root: all but what `.gitignore` names. */
export function sourceFiles(pattern: string): readonly string[] {
  const ignored = readText('.gitignore').split('\n').filter(Boolean);
  return globSync(pattern, {
    cwd: root,
    withFileTypes: true,
    exclude: ['.git', ...ignored].map((name) => `**/${name}`),
  })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
}
