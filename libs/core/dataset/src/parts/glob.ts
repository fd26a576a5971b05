import { sep } from 'node:path';
import picomatch from 'picomatch';
import { glob as filesBelow } from 'tinyglobby';

/** Whether a text has a character that stands for others in a glob. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}

/**
 * The keys that a glob matches: `*` and `?` stand for characters of one name, `[a-c]` for one of these, `{csv,tsv}` for
 * one of those texts, and the name `**` for any number of folders. Names that begin with a point are matched where the
 * glob has it.
 */
export function globMatcher(glob: string): (key: string) => boolean {
  const matches = picomatch(withPlainBrackets(glob), SHELL);
  // it takes a second argument, which `filter` gives
  return (key) => matches(key);
}

/** The beginning of a glob that stands for itself: all that it matches begins so. */
export function literalPrefix(glob: string): string {
  const first = glob.search(/[*?[{]/);
  return first < 0 ? glob : glob.slice(0, first);
}

/** The files that a glob matches, in no order, as paths that begin like it. */
export async function filesOf(glob: string): Promise<string[]> {
  const root = literalPrefix(glob).replace(/[^/\\]*$/, '');
  const pattern = sep === '\\' ? glob.replaceAll(sep, '/') : glob;
  const below = withPlainBrackets(pattern.slice(root.length));
  const found = await filesBelow(below, { cwd: root === '' ? '.' : root, expandDirectories: false });
  return found.map((path) => `${root}${path}`);
}

/** What shells leave to options: `!(a)`, and a first `!` for all but what follows. */
const SHELL = { noextglob: true, nonegate: true };

/** Round brackets stand for themselves, as in `export (1).csv`. */
function withPlainBrackets(glob: string): string {
  return glob.replace(/[()]/g, '\\$&');
}
