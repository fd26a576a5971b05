// The licences of the packages that are inside a bundle: most ask that their text goes along.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = /^(licen[cs]e|notice|copying)/i;

/**
 * Packages by name, those of the same text together, as every copyright line is in the text that it stands under.
 *
 * @param {readonly string[]} sources files of a bundle
 * @returns {string} empty where all of them are ours
 */
export function licencesOf(sources) {
  const folders = new Set(sources.flatMap((file) => folderOf(file) ?? []));
  const packages = [...folders]
    .map((folder) => ({ folder, ...JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) }))
    .sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
  const namesOf = new Map();
  for (const { folder, name, version, license } of packages) {
    const files = readdirSync(folder).filter((file) => FILE.test(file) && !/\.(js|ts|cjs|mjs)$/.test(file));
    const text = files
      .sort()
      .map((file) => readFileSync(join(folder, file), 'utf8').trim())
      .join('\n\n');
    namesOf.set(text, [...(namesOf.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [...namesOf].map(([text, names]) => `${names.join('\n')}\n\n${text}`).join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** The package that a file lies in: the nearest folder under node_modules whose manifest has a version. */
function folderOf(file) {
  const parts = file.split('/');
  const at = parts.lastIndexOf('node_modules');
  if (at < 0) return null;
  const folder = parts.slice(0, at + (parts[at + 1].startsWith('@') ? 3 : 2)).join('/');
  return existsSync(join(folder, 'package.json')) ? folder : null;
}
