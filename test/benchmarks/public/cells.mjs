// Wrong cells as Raha's sets have them: what `orchard check` finds, by its own threshold, beside the clean table; and
// what it reports of that clean table.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tablesPython } from '../tables/environment.mjs';
import { compressedSets, must, programs } from './orchard.mjs';

const dirtyEnding = '-dirty';

export const cells = {
  folder: 'public/errors',
  setsIn: (folder) =>
    compressedSets(folder)
      .filter((name) => name.endsWith(dirtyEnding))
      .map((name) => name.slice(0, -dirtyEnding.length)),
  python: tablesPython,

  /** Figures of the file with errors, and `alarms`: what is reported of the same table without. */
  measure(data, set, { seed, folder, ...how }) {
    const { check, script } = programs(how);
    const at = (name) => join(folder, name);
    const find = (side) => {
      must(script('cells.py', 'open', join(data, `${set}-${side}.csv.gz`), at(`${side}.csv`)));
      const finding = check(at(`${side}.csv`), '--seed', String(seed));
      must(finding);
      writeFileSync(at(`${side}.json`), finding.answer);
      return finding.processor;
    };
    const judge = (side) => must(script('cells.py', 'judge', at(`${side}.csv`), at('clean.csv'), at(`${side}.json`)));
    const seconds = find('dirty');
    find('clean');
    return { ...judge('dirty'), alarms: judge('clean').found, seconds };
  },
};
