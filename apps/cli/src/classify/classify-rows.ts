import { classifyBits, classifyTable, type ClassModel, type Classified } from '@orchard/analysis';
import { readAsTrained, type RawTable } from '@orchard/dataset';
import { isTabular, type DensityModel, type TabularModel } from '@orchard/model';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableWords } from '../options/table-options.js';
import { counted } from '../output/figures.js';
import type { Terminal } from '../output/terminal.js';
import { reportNewCells, refuseNoRows } from '../tables/load-table-rows.js';
import { bitRowsOf, refuseUnusedWords } from './bit-rows.js';
import type { ClassModels } from './class-models.js';

type ClassifyRowsOptions = DatasetOptions & TableWords & { readonly seed: number };

/** Rows times models of which nothing is said while they are scored. */
const ROWS_UNTOLD = 20_000;

/**
 * P(class | x) of each row of a file.
 *
 * @throws UsageError for a file without rows, or that models of 0 and 1 cannot read
 */
export async function classifyRows(
  { classes }: ClassModels,
  raw: RawTable,
  options: ClassifyRowsOptions,
  terminal: Terminal,
): Promise<Classified> {
  if (areTabular(classes)) {
    const second = await readAsTrained(raw, classes[0]!.model.table, { dates: options.dates });
    for (const remark of second.remarks) terminal.remark(remark);
    const classified = await classifyTable(classes, second.table, options.seed);
    if (classified.predicted.length === 0) refuseNoRows(raw);
    reportNewCells(classified.newCells, terminal);
    return classified;
  }
  refuseUnusedWords(options);
  const rows = await bitRowsOf(raw, classes[0]!.model.names!, options);
  return classifyBits(classes, rows, (at) => {
    if (rows.rows * classes.length > ROWS_UNTOLD)
      terminal.note(`orchard: ${counted(rows.rows, 'row')} by model ${String(at + 1)} of ${String(classes.length)}`);
  });
}

const areTabular = (classes: readonly ClassModel[]): classes is readonly ClassModel<TabularModel & DensityModel>[] =>
  classes.every(({ model }) => isTabular(model));
