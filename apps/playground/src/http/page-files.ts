import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { MiddlewareHandler } from 'hono';

/** The files of the page by the path of their address. */
export type PageFiles = ReadonlyMap<string, { readonly body: string; readonly mediaType: string }>;

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads the files of the page, once: what is not among them can never be sent. */
export async function readPageFiles(directory: string): Promise<PageFiles> {
  const files = new Map<string, { body: string; mediaType: string }>();
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const mediaType = mediaTypes[extname(entry.name)];
    if (!entry.isFile() || mediaType === undefined) continue;
    const path = join(entry.parentPath, entry.name);
    const address = path.slice(directory.length).replaceAll('\\', '/').replace(/^\/*/, '/');
    files.set(address, { body: await readFile(path, 'utf8'), mediaType });
  }
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  return files;
}

/** Sends the files of the page; anything else is left to what comes after. */
export function servePage(files: PageFiles): MiddlewareHandler {
  return async (context, next) => {
    const isRead = context.req.method === 'GET' || context.req.method === 'HEAD';
    const file = isRead ? files.get(context.req.path) : undefined;
    if (file === undefined) return next();
    return context.body(file.body, 200, {
      'Content-Type': file.mediaType,
      'Cache-Control': 'no-cache',
    });
  };
}
