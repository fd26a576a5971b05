// @orchard/papers: the files of the command line's bundle that only the kinds of models of papers need, in a package of
// their own. What they share with the command line stays there, once, so that both speak of the same classes: the
// package goes with the command line of its own release, and no other.
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { papersIn, reachedFrom, writeProgram } from '../programs/bundle-program.mjs';
import { bundledOf } from '../programs/bundled.mjs';

const PACKAGE = '@orchard/papers';

/** The path below `@orchard/cli` that its files are exported at: that of another release has none. */
export const exportedBelow = (version) => `of-${version}`;

/**
 * The command line, and beside it the package.
 *
 * @param {string} folder of the command line
 * @param {string} papersFolder of the package
 * @param {string} version of both
 * @returns {Promise<{ cli: import('../programs/bundled.mjs').Bundled, papers: import('../programs/bundled.mjs').Bundled }>}
 */
export async function bundleCliAndPapers(folder, papersFolder, version) {
  const output = await writeProgram('cli', folder);
  const chunks = output.filter(({ type }) => type === 'chunk');
  const door = papersIn(chunks);
  const isOfPapers = (chunk) => chunk.facadeModuleId?.includes('/libs/papers/') === true;
  const entries = chunks.filter((chunk) => chunk.isEntry && !isOfPapers(chunk)).map(({ fileName }) => fileName);
  const stays = reachedFrom(entries, chunks, door.fileName);
  const goes = chunks.filter(({ fileName }) => !stays.has(fileName));
  for (const chunk of goes) {
    const file = join(folder, chunk.fileName);
    const shared = [...chunk.imports, ...chunk.dynamicImports].filter((name) => stays.has(name));
    if (shared.includes('main.js')) throw new Error(`${chunk.fileName} imports main.js, which would run once more`);
    writeFileSync(
      file,
      shared.reduce(
        (code, name) => code.replaceAll(`"./${name}"`, `"@orchard/cli/${exportedBelow(version)}/${name}"`),
        readFileSync(file, 'utf8'),
      ),
    );
    renameSync(file, join(papersFolder, chunk.fileName === door.fileName ? 'index.js' : chunk.fileName));
  }
  for (const { fileName, dynamicImports } of chunks)
    if (stays.has(fileName) && dynamicImports.includes(door.fileName)) {
      const file = join(folder, fileName);
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`"./${door.fileName}"`, `"${PACKAGE}"`));
    }
  checkThreadsAreBeside(stays, folder);
  checkThreadsAreBeside(new Set(goes.map(({ fileName }) => fileName)), papersFolder, door.fileName);
  const [cli, papers] = [true, false].map((is) =>
    bundledOf(output.filter(({ fileName }) => stays.has(fileName) === is)),
  );
  return { cli, papers };
}

/** Threads are started from files that a file beside them names. */
function checkThreadsAreBeside(names, folder, door) {
  for (const name of names) {
    const code = readFileSync(join(folder, name === door ? 'index.js' : name), 'utf8');
    for (const [, asked] of code.matchAll(/new URL\(\s*"\.\/(thread-[\w.-]+)"/g))
      if (!names.has(asked)) throw new Error(`${name} starts threads from ${asked}, which is in the other package`);
  }
}

/** The package alone. */
export async function bundlePapers(folder, version) {
  const beside = mkdtempSync(join(dirname(folder), 'cli-of-papers-'));
  try {
    return (await bundleCliAndPapers(beside, folder, version)).papers;
  } finally {
    rmSync(beside, { recursive: true });
  }
}
