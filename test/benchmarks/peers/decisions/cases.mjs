// The tables whose decisions are measured, and which decisions of each.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** By kind of table: numbers, numbers and labels, labels. Paths are below the folder of data sets. */
export const tables = [
  { name: 'cover', kind: 'numeric', path: 'public/anomalies/cover.csv.gz' },
  { name: 'satellite', kind: 'numeric', path: 'public/anomalies/satellite.csv.gz' },
  { name: 'shuttle', kind: 'numeric', path: 'public/anomalies/shuttle.csv.gz' },
  { name: 'default', kind: 'numeric', path: 'public/samples/default/train.csv.gz' },
  { name: 'shoppers', kind: 'mixed', path: 'public/samples/shoppers/train.csv.gz' },
  { name: 'diamonds', kind: 'mixed', path: 'tables/diamonds.csv' },
  { name: 'hi', kind: 'mixed', path: 'tables/hi.csv' },
  { name: 'males', kind: 'labels', path: 'tables/males.csv' },
  { name: 'adult', kind: 'labels', path: 'adult/train.data.gz' },
];

/** Whose whole models are trained. */
export const wholeTables = ['males', 'shoppers', 'hi', 'diamonds', 'default'];

/** Shares of the rows that reach a decision: the first of a variable, and deep ones, of which there are many. */
export const shares = [1, 1 / 8, 1 / 64, 1 / 512];

/** A short run and a long one, which separate set-up from the time that a tree takes. */
export const lengths = [20, 160];

export const LEAVES = 16;
export const SHRINKAGE = 0.05;

/** Fewer say nothing: trees of sixteen leaves need rows. */
const LEAST_ROWS = 32;
/** A decision counts for a share where it is reached by half of these rows to twice as many. */
const NEAR = 2;

/** The file of a table, or null where no folder has it. */
export function locateTable({ path }, folders) {
  return folders.map((folder) => join(folder, path)).find((file) => existsSync(file)) ?? null;
}

/**
 * Of a table's decisions the nearest to each share, of equally near ones the last, which has the most predictors.
 * Decisions with one outcome, and those of variables in the first half of the ordering, are not asked.
 *
 * @param {{ rows: number, decisions: readonly { position: number, decision: number, rows: number, learns: boolean }[] }} table
 */
export function decisionsFor({ rows, decisions }) {
  const last = decisions.reduce((most, { position }) => Math.max(most, position), 0);
  const fit = decisions.filter(
    (one) => one.learns && one.rows >= LEAST_ROWS && one.position >= Math.max(1, Math.ceil(last / 2)),
  );
  return shares.flatMap((share) => {
    const distance = (one) => Math.abs(Math.log(one.rows / rows / share));
    const nearest = fit.reduce(
      (best, one) => (best === null || distance(one) <= distance(best) ? one : best),
      /** @type {null | (typeof fit)[number]} */ (null),
    );
    return nearest === null || distance(nearest) > Math.log(NEAR) ? [] : [{ share, ...nearest }];
  });
}
