// The tables, and what of each is predicted where training on drawn rows is compared with training on real ones.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The measure of the target's prediction follows from its kind: R² of numbers, AUROC of two labels, hits of more. */
export const tables = [
  { name: 'cars', target: 'Miles_per_Gallon', measure: 'R²' },
  { name: 'seattle-weather', target: 'weather', measure: 'hits' },
  { name: 'males', target: 'union', measure: 'AUROC' },
  { name: 'hi', target: 'whi', measure: 'AUROC' },
  { name: 'diamonds', target: 'price', measure: 'R²' },
];

/** The file of a table, or null where no folder has it. */
export function locateTable(name, folders) {
  return folders.map((folder) => join(folder, 'tables', `${name}.csv`)).find((path) => existsSync(path)) ?? null;
}
