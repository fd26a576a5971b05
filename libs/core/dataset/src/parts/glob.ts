import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether a text has a character that stands for others in a glob. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/**
 * The keys or relative paths that a glob matches: `*` and `?` stand for characters of one name, `[a-c]` for one of
 * these, `{csv,tsv}` for one of those texts, and the name `**` for any number of folders.
 */
export function globMatcher(glob: string): (path: string) => boolean {
  const expressions = alternatives(glob).map(expressionOf);
  return (path) => expressions.some((expression) => expression.test(path));
}

/** The beginning of a glob that stands for itself: all that it matches begins so. */
export function literalPrefix(glob: string): string {
  const first = glob.search(/[*?[{]/);
  return first < 0 ? glob : glob.slice(0, first);
}

/** The files that a glob matches, in no order. Names that begin with a point are matched where the glob has it. */
export async function filesOf(glob: string): Promise<string[]> {
  const prefix = literalPrefix(glob);
  const root = prefix.slice(0, prefix.search(/[^/\\]*$/));
  const matches = globMatcher(glob);
  const isDeep = glob.slice(root.length).includes('**');
  const depth = glob.slice(root.length).split(/[/\\]/).length;
  const found: string[] = [];
  const look = async (folder: string, level: number): Promise<void> => {
    for (const entry of await readdir(folder === '' ? '.' : folder, { withFileTypes: true })) {
      const path = folder === '' || /[/\\]$/.test(folder) ? `${folder}${entry.name}` : join(folder, entry.name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await isDirectory(path)));
      if (!isFolder && matches(path)) found.push(path);
      // a linked folder may lead back to where it lies
      if (isFolder && !entry.name.startsWith('.') && (isDeep ? !entry.isSymbolicLink() : level < depth))
        await look(path, level + 1);
    }
  };
  await look(root, 1);
  return found;
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isDirectory() === true;
}

/** A glob with each choice of its braces. */
function alternatives(glob: string): string[] {
  const braces = /^([^{]*)\{([^{}]*)\}(.*)$/s.exec(glob);
  if (braces === null) return [glob];
  const [, before = '', choices = '', behind = ''] = braces;
  return choices.split(',').flatMap((choice) => alternatives(`${before}${choice}${behind}`));
}

function expressionOf(glob: string): RegExp {
  let source = '';
  for (let at = 0; at < glob.length; at++) {
    const sign = glob[at]!;
    const startsName = at === 0 || isSeparator(glob[at - 1]!);
    if (
      sign === '*' &&
      glob[at + 1] === '*' &&
      startsName &&
      (isSeparator(glob[at + 2] ?? '/') || at + 2 >= glob.length)
    ) {
      const isLast = at + 2 >= glob.length;
      source += isLast ? '.*' : '(?:[^/\\\\]+[/\\\\])*';
      at += isLast ? 1 : 2;
    } else if (sign === '*') source += startsName ? '(?!\\.)[^/\\\\]*' : '[^/\\\\]*';
    else if (sign === '?') source += '[^/\\\\]';
    else if (sign === '[' && glob.includes(']', at + 2)) {
      const end = glob.indexOf(']', at + 2);
      const signs = glob
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replaceAll('\\', '\\\\');
      source += `[${signs}]`;
      at = end;
    } else source += isSeparator(sign) ? '[/\\\\]' : sign.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  }
  return new RegExp(`^${source}$`, 'su');
}

function isSeparator(sign: string): boolean {
  return sign === '/' || sign === '\\';
}
