import { classify, type Classified } from '@orchard/analysis';
import { bitTable, readAsTrained, requireRows, type RawTable } from '@orchard/dataset';
import { asTabular, type TabularModel } from '@orchard/model';
import type { DatasetOptions } from '../../options/dataset-options.js';
import type { TableWords } from '../../options/table-options.js';
import type { Terminal } from '../../output/terminal.js';
import { reportNewCells } from '../../rows/load-table-rows.js';
import { bitRowsOf, refuseUnusedWords } from './bit-rows.js';
import type { ClassModels } from './class-models.js';

type ClassifyRowsOptions = DatasetOptions & TableWords & { readonly seed: number };

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
  const models = classes.map(({ model, ...own }) => ({ ...own, model: asTabular(model) }));
  const table = await tableFor(models[0]!.model, raw, options, terminal);
  const classified = await classify(models, table, options.seed);
  requireRows(classified.predicted.length, raw.name);
  reportNewCells(classified.newCells, terminal);
  return classified;
}

async function tableFor(
  model: TabularModel,
  raw: RawTable,
  options: ClassifyRowsOptions,
  terminal: Terminal,
): Promise<RawTable> {
  if (model.ofBits !== undefined) {
    refuseUnusedWords(options);
    return bitTable(await bitRowsOf(raw, model.ofBits.names!, options), raw.name);
  }
  const second = await readAsTrained(raw, model.table, { dates: options.dates });
  for (const remark of second.remarks) terminal.remark(remark);
  return second.table;
}
