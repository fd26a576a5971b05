import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** One file of the page as it goes out. */
export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  readonly tag: string;
  /** Its name holds its hash: it never changes. */
  readonly isNamedByContent: boolean;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the page is built to, beside this program; null in a clone where nobody has built it. */
export function builtPage(): string | null {
  const folder = join(dirname(fileURLToPath(import.meta.resolve('@orchard/dashboard/package.json'))), 'dist/page');
  return existsSync(join(folder, 'index.html')) ? folder : null;
}

/** All files of the page by path, `/` among them, in memory: some hundred kilobytes. */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const type = types[extname(path)];
    if (type === undefined) continue;
    const bytes = readFileSync(path);
    const name = `/${relative(folder, path).split(sep).join('/')}`;
    const tag = `"${createHash('sha256').update(bytes).digest('hex').slice(0, 20)}"`;
    files.set(name === '/index.html' ? '/' : name, {
      ...{ type, bytes, tag },
      gzip: gzipSync(bytes, { level: 9 }),
      isNamedByContent: name.startsWith('/assets/'),
    });
  }
  return files;
}
