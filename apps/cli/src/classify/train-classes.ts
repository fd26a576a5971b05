import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClassModel } from '@orchard/analysis';
import { splitRows } from '@orchard/dataset';
import { learnedBy } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { UsageError } from '../errors.js';
import { counted } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import {
  loadFoldRows,
  trainIn,
  VALID_SHARE,
  withTable,
  type FoldRows,
  type TrainFoldsOptions,
} from '../outliers/train-folds.js';
import { describeSources, shortName } from '../rows/split-sources.js';
import { noLabels } from '../run-folder/report-labels.js';
import { useTable } from '../tables/load-table-rows.js';
import { bitRowsOf, refuseUnusedWords } from './bit-rows.js';
import { refuseNoColumn, requireLabels } from './class-labels.js';
import { folderOfClass, keepClasses, type ClassModels } from './class-models.js';

export type TrainClassesOptions = Omit<TrainFoldsOptions, 'folds'> & { readonly by: string };

/** Fewer rows of a class are refused: a model of them, and the choice of its size, would be chance. */
const FEWEST_ROWS = 10;

/**
 * Trains a model of each class's rows, on all columns but the one of classes; all are models of the same columns, so
 * that their likelihoods can be compared.
 *
 * @throws UsageError for fewer than two classes, for a class of fewer than ten rows, and for values other than 0 and 1
 *   where the model learns no others
 */
export async function trainClasses(
  file: string,
  options: TrainClassesOptions,
  terminal: Terminal,
): Promise<ClassModels> {
  const { by, seed, out } = options;
  const labels = await useTable(file, options, (raw) => requireLabels(raw, by));
  const numbersOf = rowsByLabel(labels, options, terminal);
  const words = { ...options, folds: 1, exclude: [...(options.exclude ?? []), by] };
  const { rows, family } = await rowsOfClasses(file, words, terminal);
  const folder = out ?? (await mkdtemp(join(tmpdir(), 'orchard-classes-')));
  const ownSeed = 'seed' in family.words.shape ? seed : undefined;
  const sources = describeSources({ train: file }, seed);
  const classes: ClassModel[] = [];
  try {
    for (const [label, numbers] of numbersOf) {
      terminal.note(harmlessLine(`orchard: ${by} ${label}: ${counted(numbers.length, 'row')}`));
      const { train, valid } = splitRows(rows.selectRows(numbers), { valid: VALID_SHARE }, seed);
      const model = await trainIn(
        {
          family,
          folder: join(folder, folderOfClass(classes.length)),
          options,
          words: { ...words, by: undefined, folds: undefined, seed: ownSeed },
          splits: { train: withTable(train, rows), valid: withTable(valid!, rows) },
          labels: { ...noLabels, title: `${shortName(file) ?? file}, ${by} ${label}`, sources },
        },
        terminal,
      );
      classes.push({ label, rows: numbers.length, model });
    }
    const trained = { by, classes };
    if (out !== undefined) await keepClasses(out, trained);
    return trained;
  } finally {
    if (out === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** The numbers of each class's rows, classes in the order of their labels. */
function rowsByLabel(
  labels: readonly (string | null)[],
  { by }: TrainClassesOptions,
  terminal: Terminal,
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  labels.forEach((label, row) => {
    if (label === null) return;
    const rows = found.get(label);
    if (rows === undefined) found.set(label, [row]);
    else rows.push(row);
  });
  const without = labels.filter((label) => label === null).length;
  if (without > 0) terminal.note(`orchard: ${counted(without, 'row')} without a class: no model learns from them`);
  if (found.size < 2)
    throw new UsageError({
      got: harmlessLine(`${JSON.stringify(by)}, which has ${counted(found.size, 'value')}`),
      expected: 'two classes or more',
      where: '--by',
      remedy: 'Name the column that the classes are in.',
    });
  for (const [label, { length }] of found)
    if (length < FEWEST_ROWS)
      throw new UsageError({
        got: harmlessLine(`${counted(length, 'row')} of the class ${label}`),
        expected: `${String(FEWEST_ROWS)} rows of each class at least`,
        where: '--by',
        remedy: 'Leave the rows of that class out, or give it and other small ones one name.',
      });
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** All rows of the file without the column of classes: as a table, or for a model that learns no table as 0/1 data. */
async function rowsOfClasses(
  file: string,
  options: TrainFoldsOptions,
  terminal: Terminal,
): Promise<Pick<FoldRows, 'rows' | 'family'>> {
  const { model, exclude = [] } = options;
  const family = model === undefined ? families.usualFor('table') : families.named(model);
  if (learnedBy(family).includes('table')) return loadFoldRows(file, { ...options, model: family.name }, terminal);
  refuseUnusedWords(options);
  return useTable(file, options, async (raw) => {
    for (const name of exclude) if (!raw.columns.includes(name)) refuseNoColumn(name, '--exclude', raw);
    const columns = raw.columns.filter((name) => !exclude.includes(name));
    return { rows: await bitRowsOf(raw, columns, options), family };
  });
}
