import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Snippet } from './markdown.js';
import { root } from './repository.js';
import { createSnippetFolder } from './snippet-folder.js';

/** One error of the compiler, with the line of the document that it is in. */
export interface SnippetError {
  readonly document: string;
  readonly message: string;
}

/**
 * Type checks the snippets of each document, every snippet as a module of its own, against the
 * sources of all packages and what these depend on.
 */
export async function compileSnippets(
  documents: ReadonlyMap<string, readonly Snippet[]>,
): Promise<readonly SnippetError[]> {
  const folder = createSnippetFolder('compiled');
  const documentOf = new Map<string, string>();
  try {
    for (const [document, snippets] of documents) {
      for (const { line, code } of snippets) {
        const file = `${document.replace(/[^\w]/g, '-')}-${line}.ts`;
        documentOf.set(file, document);
        // Blank lines in front give an error the line that it has in the document.
        writeFileSync(join(folder, file), '\n'.repeat(line - 1) + code);
      }
    }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(compilerConfiguration));
    return parseErrors(await compile(folder), documentOf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const compilerConfiguration = {
  extends: '../../tsconfig.base.json',
  // A snippet may show a value without using it, and reads the environment as a user writes it.
  compilerOptions: {
    noEmit: true,
    noUnusedLocals: false,
    noUnusedParameters: false,
    noPropertyAccessFromIndexSignature: false,
  },
  include: ['*.ts'],
};

function compile(folder: string): Promise<string> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [compiler, '--project', folder, '--pretty', 'false'],
      { cwd: folder, maxBuffer: 16 * 1024 * 1024 },
      (error, output, errorOutput) => {
        // The compiler writes what it found to stdout; anything else means that it did not run.
        if (error !== null && output === '') reject(new Error(errorOutput, { cause: error }));
        else resolve(output);
      },
    );
  });
}

function parseErrors(
  output: string,
  documentOf: ReadonlyMap<string, string>,
): readonly SnippetError[] {
  return output
    .split('\n')
    .filter((line) => /error TS\d+/.test(line))
    .map((line) => {
      const { file, row, text } =
        /^(?<file>[^(]+)\((?<row>\d+),\d+\): (?<text>.*)$/.exec(line)?.groups ?? {};
      const document = documentOf.get(file ?? '');
      return document === undefined
        ? { document: '', message: line }
        : { document, message: `${document}:${row} ${text}` };
    });
}
