import { readText, sourceFiles } from './repository.js';

/** The fields of a `package.json` that the tests look at. */
export interface PackageManifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

export interface WorkspacePackage {
  /** The name without the scope, which is also the name of the folder under `packages/`. */
  readonly id: string;
  readonly manifest: PackageManifest;
  /** Paths from the root of the repository. */
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** The published packages. */
export const packages: readonly WorkspacePackage[] = sourceFiles('packages/*/package.json').map(
  (path) => {
    const folder = path.replace('/package.json', '');
    return {
      id: folder.replace('packages/', ''),
      manifest: JSON.parse(readText(path)),
      sources: sourceFiles(`${folder}/src/**/*.ts`),
      tests: sourceFiles(`${folder}/test/**/*.ts`),
    };
  },
);
