/** One module that another one names. */
export interface ModuleImport {
  readonly specifier: string;
  /** `type`: nothing is left of it in the JavaScript. `lazy`: an `import()`, loaded when it is reached. */
  readonly kind: 'value' | 'type' | 'lazy';
}

const statement =
  /^[ \t]*(?:(?:import|export)(?<clause>[\w\s{},*$]+)\bfrom\s*|import\s*)(?<quote>['"])(?<specifier>[^'"]+)\k<quote>/gm;
const expression = /\bimport\(\s*(?<quote>['"])(?<specifier>[^'"]+)\k<quote>/g;

/** The modules that a TypeScript source names: statements first, then `import()` expressions. */
export function importsOf(source: string): readonly ModuleImport[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^[ \t]*\/\/.*$/gm, '');
  const imports: ModuleImport[] = [];
  for (const { groups } of code.matchAll(statement)) {
    const { clause = '', specifier = '' } = groups ?? {};
    imports.push({ specifier, kind: /^\s+type\s+\S/.test(clause) ? 'type' : 'value' });
  }
  for (const { groups } of code.matchAll(expression)) {
    imports.push({ specifier: groups?.['specifier'] ?? '', kind: 'lazy' });
  }
  return imports;
}

/** The npm package that a specifier names; `undefined` for a relative or built-in one. */
export function packageNameOf(specifier: string): string | undefined {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return undefined;
  const segments = specifier.split('/');
  return segments.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}
