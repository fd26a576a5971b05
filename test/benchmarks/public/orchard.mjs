// How the parts run Orchard, their own scripts, and read what both answer.
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));
const commandLine = here('../../../apps/cli/program/main.js');

/** The names of the sets that lie in a folder as NAME.csv.gz, in their order. */
export function compressedSets(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.csv.gz'));
  return files.map((file) => file.slice(0, -'.csv.gz'.length)).sort();
}

/**
 * Orchard's command line and the scripts of this folder, under the same limits. `must` ends the measurement where a
 * step that others need reached its limit; `took` is the processor time.
 */
export function programs({ run, python }) {
  return {
    orchard: (...words) => run([process.execPath, commandLine, ...words, '--json', '--threads', '1'], noMemoryLimit),
    ask: (...words) => run([process.execPath, commandLine, ...words, '--json'], noMemoryLimit),
    // 3: something was found
    check: (...words) =>
      run([process.execPath, commandLine, 'check', ...words, '--json', '--threads', '1'], {
        ...noMemoryLimit,
        endings: [0, 3],
      }),
    script: (file, ...words) => run([python, here(file), ...words.map(String)]),
  };
}

/** Node reserves more addresses than it uses. */
const noMemoryLimit = { hasMemoryLimit: false };

/** What a step answered. @throws where a limit ended it */
export function must(result) {
  if (result.answer === null) throw new Error(`a step that all others need reached the limit of ${result.limited}`);
  return JSON.parse(result.answer);
}
