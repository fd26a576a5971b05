import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { splitRows } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { families } from '@orchard/registry';
import { UsageError } from '../errors.js';
import { counted } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { Terminal } from '../output/terminal.js';
import { loadFoldRows, trainIn, VALID_SHARE, withTable, type TrainFoldsOptions } from '../outliers/train-folds.js';
import { describeSources } from '../rows/split-sources.js';
import { noLabels } from '../run-folder/report-labels.js';
import { useTable } from '../tables/load-table-rows.js';
import { requireLabels } from './class-labels.js';
import { folderOfClass, keepClasses, type ClassModel, type ClassModels } from './class-models.js';

export type TrainClassesOptions = Omit<TrainFoldsOptions, 'folds'> & { readonly by: string };

/** Fewer rows of a class are refused: a model of them, and the choice of its size, would be chance. */
const FEWEST_ROWS = 10;

/**
 * Trains a model of each class's rows, on all columns but the one of classes; all are models of one table, so that
 * their likelihoods can be compared.
 *
 * @throws UsageError for rows of bits, for fewer than two classes, and for a class of fewer than ten rows
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
  const { rows, family, isTable } = await loadFoldRows(file, words, terminal, () => families.usualFor('table'));
  if (!isTable) refuseBits(family.name);
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
          ...{ family, folder: join(folder, folderOfClass(classes.length)), options },
          words: { ...words, by: undefined, folds: undefined, seed: ownSeed },
          splits: { train: withTable(train, rows), valid: withTable(valid!, rows) },
          labels: { ...noLabels, title: `${basename(file)}, ${by} ${label}`, sources },
        },
        terminal,
      );
      classes.push({ label, rows: numbers.length, model: model as TabularModel });
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

function refuseBits(model: string): never {
  throw new UsageError({
    got: `--model ${model}, which learns rows of 0 and 1`,
    expected: 'a model of tables',
    where: '--model',
    remedy: `Use ${families.usualFor('table').name} or chow-liu: they learn columns of 0 and 1 too.`,
  });
}
