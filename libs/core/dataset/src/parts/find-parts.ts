import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatasetError } from '../errors.js';
import { extensionOf } from '../reading/detect.js';
import { filesOf, isGlob } from './glob.js';

/** Files whose rows are those of one table, one file after another. */
export interface Parts {
  /** All of them in messages, with their extension at its end: `sales/*.csv`. */
  readonly name: string;
  /** In the order of their names, by the numbers of their characters: part-10 comes before part-2. */
  readonly paths: readonly string[];
}

/** What a run writes its model to. */
const MODEL_FILE = 'network.msgpack';
/** Kinds of files that a refusal names. */
const MOST_NAMED = 4;

/**
 * The files of a folder or a glob; null of a path that is one file, and of one that is not there.
 *
 * @throws DatasetError where there is none, or they are not of one kind
 */
export async function findParts(given: string): Promise<Parts | null> {
  const found = await stat(given).catch(() => null);
  if (found === null && !isGlob(given)) return null;
  if (found !== null && !found.isDirectory()) return null;
  return found === null ? partsOfGlob(given) : partsOfFolder(given);
}

/** Orders names as `ls` and databases do: by the numbers of their characters. */
function inOrderOfNames(names: readonly string[]): string[] {
  // the usual order of texts compares UTF-16, where signs beyond 2^16 come before some below
  return [...names].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
}

/**
 * The name of files that are parts of a table.
 *
 * @throws DatasetError where they are of several kinds
 */
export function nameOfParts(pattern: string, paths: readonly string[]): string {
  const kinds = new Map<string, number>();
  for (const path of paths) kinds.set(extensionOf(path), (kinds.get(extensionOf(path)) ?? 0) + 1);
  if (kinds.size > 1) {
    const named = [...kinds]
      .slice(0, MOST_NAMED)
      .map(([kind, many]) => `${many} ${kind === '' ? 'without an extension' : `.${kind}`}`);
    if (kinds.size > MOST_NAMED) named.push('…');
    const [usual] = [...kinds].filter(([kind]) => kind !== '').sort(([, one], [, other]) => other - one);
    const folder = pattern.replace(/[^/\\]*$/, '');
    throw new DatasetError('source', {
      got: `files of several kinds: ${named.join(', ')}`,
      expected: 'files of one kind, the parts of one table',
      where: pattern,
      remedy: `Say which are meant: '${folder}*.${usual?.[0] ?? 'csv'}'.`,
    });
  }
  const [extension = ''] = kinds.keys();
  const isNamed = extension === '' || extensionOf(pattern) === extension;
  return isNamed ? pattern : `${pattern.replace(/\*$/, '')}*.${extension}`;
}

function partsOf(pattern: string, paths: readonly string[]): Parts {
  return { name: nameOfParts(pattern, paths), paths: inOrderOfNames(paths) };
}

async function partsOfGlob(glob: string): Promise<Parts> {
  const paths = await filesOf(glob).catch(() => []);
  if (paths.length === 0)
    throw new DatasetError('source', {
      got: 'no file that it matches',
      expected: 'at least one file',
      where: glob,
      remedy: 'Check the path; * stands for any characters of one name, ** for any folders.',
    });
  return partsOf(glob, paths);
}

async function partsOfFolder(folder: string): Promise<Parts> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => !entry.isDirectory() && !isAside(entry.name)).map(({ name }) => name);
  const folders = entries.filter((entry) => entry.isDirectory() && !isAside(entry.name)).map(({ name }) => name);
  if (names.length === 0)
    throw new DatasetError('source', {
      got:
        folders.length === 0
          ? 'a folder without a file'
          : `a folder of folders (${folders.slice(0, MOST_NAMED).join(', ')})`,
      expected: 'a file, or a folder of files that are the parts of one table',
      where: folder,
      remedy:
        folders.length === 0
          ? 'Check the path.'
          : `Give the files below it by a glob: '${join(folder, '**', '*.parquet')}'; the names of folders become no column.`,
    });
  if (names.includes(MODEL_FILE))
    throw new DatasetError('source', {
      got: 'the folder of a run',
      expected: 'a file of rows, or a folder of files that are the parts of one table',
      where: folder,
      remedy: 'Give the rows that the run was trained on, or others.',
    });
  const splits = names.filter((name) => /^(train|valid|validation|test)\b/i.test(name));
  if (splits.length > 1 && splits.some((name) => /^train/i.test(name)))
    throw new DatasetError('source', {
      got: `a folder of ${splits.slice(0, MOST_NAMED).join(', ')}`,
      expected: 'the parts of one table',
      where: folder,
      remedy: 'Give one file, as train.csv; train, valid and test are given one by one.',
    });
  return partsOf(
    join(folder, '*'),
    names.map((name) => join(folder, name)),
  );
}

/** What programs leave beside the parts that they write: `_SUCCESS`, `._part-0.crc`. */
function isAside(name: string): boolean {
  return /^[._]/.test(name);
}
