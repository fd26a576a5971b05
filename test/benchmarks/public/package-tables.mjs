// Tables that lie in packages, which anybody can have, and those of the data folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Of scikit-learn and vega_datasets: `package_tables.py` writes them. */
const ofPackages = ['diabetes', 'wine', 'breast-cancer', 'cars', 'seattle-weather'];

/** Of the data folder. */
const ofFolder = ['males', 'hi', 'diamonds'];

/** @param folder the data folder's tables, null where there are none */
export function packageTables(folder) {
  return [...ofPackages, ...ofFolder.filter((name) => folder !== null && existsSync(join(folder, `${name}.csv`)))];
}

/** Where a script finds a table: the name of one of a package, or a path. */
export function sourceOf(folder, set) {
  return ofFolder.includes(set) ? join(folder, `${set}.csv`) : set;
}
