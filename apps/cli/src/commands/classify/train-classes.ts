import { rowsByClass, trainClasses } from '@orchard/analysis';
import { placeOfColumn } from '@orchard/dataset';
import { learnedBy } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { counted } from '../../output/figures.js';
import type { Terminal } from '../../output/terminal.js';
import { loadFoldRows, type FoldRows, type FoldRowsOptions } from '../../run-folder/load-fold-rows.js';
import { trainInFolders } from '../../run-folder/train-in-folders.js';
import { useTable } from '../../rows/load-table-rows.js';
import { bitRowsOf, refuseUnusedWords } from './bit-rows.js';
import { requireLabels } from './class-labels.js';
import { keepClasses, type ClassModels } from './class-models.js';

export type TrainClassesOptions = Omit<FoldRowsOptions, 'folds'> & { readonly by: string };

/**
 * Trains a model of each class's rows, on all columns but the one of classes, and keeps them where `--out` says so.
 *
 * @throws UsageError for values other than 0 and 1 where the model learns no others; what {@link rowsByClass} refuses
 */
export async function trainClassModels(
  file: string,
  options: TrainClassesOptions,
  terminal: Terminal,
): Promise<ClassModels> {
  const { by, seed, out } = options;
  const labels = await useTable(file, options, (raw) => requireLabels(raw, by));
  const { classes, without } = rowsByClass(labels, by);
  if (without > 0) terminal.note(`orchard: ${counted(without, 'row')} without a class: no model learns from them`);
  const rows = await rowsOfClasses(file, { ...options, folds: 1, exclude: [...(options.exclude ?? []), by] }, terminal);
  const trained = await trainInFolders(file, options, terminal, async (train, onNote) => ({
    by,
    classes: await trainClasses(rows, classes, { by, seed }, train, onNote),
  }));
  if (out !== undefined) await keepClasses(out, trained);
  return trained;
}

/** All rows of the file without the column of classes: as a table, or for a model that learns no table as 0/1 data. */
async function rowsOfClasses(
  file: string,
  options: FoldRowsOptions,
  terminal: Terminal,
): Promise<Pick<FoldRows, 'rows' | 'family'>> {
  const { model, exclude = [] } = options;
  const family = model === undefined ? families.usualFor('table') : families.named(model);
  if (learnedBy(family).includes('table')) return loadFoldRows(file, { ...options, model: family.name }, terminal);
  refuseUnusedWords(options);
  return useTable(file, options, async (raw) => {
    const ofFile = { where: '--exclude', expected: `a column of ${raw.name}` };
    for (const name of exclude) placeOfColumn(name, raw.columns, ofFile);
    const columns = raw.columns.filter((name) => !exclude.includes(name));
    return { rows: await bitRowsOf(raw, columns, options), family };
  });
}
