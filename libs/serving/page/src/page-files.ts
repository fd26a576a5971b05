import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
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

/**
 * What the page may do: its own scripts and styles from this origin, questions to this origin, and nothing else.
 * Nothing within it is inline, so that an uploaded name can never become a script.
 *
 * @param asked origins that it may ask beside its own: of the issuer that it signs in with
 */
function pagePolicy(asked: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...asked].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** The headers that one of its files goes out with, plain. */
export function pageHeaders(
  { type, tag, isNamedByContent }: PageFile,
  asked: readonly string[] = [],
): Record<string, string> {
  const policy = pagePolicy(asked);
  const policyHash = createHash('sha256').update(policy).digest('hex').slice(0, 8);
  return {
    'Content-Type': type,
    'Content-Security-Policy': policy,
    'Cache-Control': isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache',
    // a browser that has the file of another policy takes it anew
    ETag: asked.length === 0 ? tag : tag.replace(/"$/, `-${policyHash}"`),
    Vary: 'Accept-Encoding',
  };
}

/**
 * Where the page is built to; null in a clone where it is not built.
 *
 * @param module `import.meta.url` of a module of the program: packed, the page lies beside it
 */
export function builtPage(module: string): string | null {
  const folders = [fileURLToPath(new URL('page', module))];
  try {
    const dashboard = createRequire(module).resolve('@orchard/dashboard/package.json');
    folders.push(join(dirname(dashboard), 'dist/page'));
  } catch {
    // packed, there is no workspace
  }
  return folders.find((folder) => existsSync(join(folder, 'index.html'))) ?? null;
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
      type,
      bytes,
      tag,
      gzip: gzipSync(bytes, { level: 9 }),
      isNamedByContent: name.startsWith('/assets/'),
    });
  }
  return files;
}
