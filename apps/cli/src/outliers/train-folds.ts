import type { RowKind } from '@orchard/contracts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FoldModels } from '@orchard/analysis';
import { assignRows, BitMatrix, codeCount, readCodes, splitRows } from '@orchard/dataset';
import type { Mixture } from '@orchard/members';
import { isBound, isTabular, setLearnedCounts, type DensityModel, type TabularModel } from '@orchard/model';
import { factsOf, foldsOfRows, type Family, type LocalRun } from '@orchard/pipeline';
import { families } from '@orchard/registry';
import { UsageError } from '../errors.js';
import { modelWords } from '../models/model-words.js';
import type { DatasetOptions } from '../options/dataset-options.js';
import type { TableWords } from '../options/table-options.js';
import type { Terminal } from '../output/terminal.js';
import { describeSources, shortName, sharesOf } from '../rows/split-sources.js';
import { refuseOtherRun } from '../run-folder/other-run.js';
import { noLabels } from '../run-folder/report-labels.js';
import { RunDirectory } from '../run-folder/run-directory.js';
import { columnsOf } from '../tables/columns.js';
import { loadTrainingRows, rowsFor } from '../rows/load-training-rows.js';

export interface TrainFoldsOptions extends DatasetOptions, TableWords {
  readonly model?: string;
  readonly folds: number;
  readonly seed: number;
  readonly threads?: number;
  readonly out?: string | undefined;
  readonly force?: true;
  /** Whether rows of 0 and 1 are read as a table of binary columns. */
  readonly asTable?: boolean;
  /** Places of the columns of a table by which each model predicts, the first ones first; as in the table otherwise. */
  readonly ordering?: readonly number[];
}

/** The rows of a file, and what models of them are trained by. */
export interface FoldRows {
  readonly file: string;
  readonly family: Family;
  /** In the order of the file. */
  readonly rows: BitMatrix;
  readonly isTable: boolean;
}

interface Splits {
  readonly train: BitMatrix;
  readonly valid: BitMatrix;
}

/** Share of the rows that choose a model's size. */
export const VALID_SHARE = 0.1;

/** Reads the rows of a file. @throws UsageError for more folds than rows */
export async function loadFoldRows(
  file: string,
  options: TrainFoldsOptions,
  terminal: Terminal,
  usual: (kind: RowKind) => Family = (kind) => families.usualFor(kind),
): Promise<FoldRows> {
  const { model, folds, seed } = options;
  const named = model === undefined ? null : families.named(model);
  const learned = named === null ? undefined : rowsFor(named);
  const mayBeTable = learned === undefined || learned.learns.includes('table');
  const said =
    options.asTable === true && mayBeTable ? { names: 'of a table', ...learned, learns: ['table' as const] } : learned;
  const { splits, kind } = await loadTrainingRows({ train: file, folds }, options, said, terminal);
  const count = splits.train.rows + splits.valid.rows;
  if (folds > count) {
    throw new UsageError({
      got: `${String(folds)} folds of ${String(count)} rows`,
      expected: 'at least one row in each fold',
      where: '--folds',
      remedy: 'Use fewer folds.',
    });
  }
  const order = pooledOrder(count, sharesOf({ train: file }).valid, seed);
  return {
    file,
    family: named ?? usual(kind),
    rows: withTable(pooled(splits, order), splits.train),
    isTable: kind === 'table',
  };
}

/**
 * Trains a model for each fold of a file's rows. A family with members trains them in one run, which uses every thread
 * and whose member `fold` has its number of trees chosen by its own fold; any other trains a run for each fold.
 *
 * @param leftOut 1 for each row that no model learns from, and that any of them may score. @default all rows are
 *   learned from
 * @throws UsageError for a model that only bounds likelihoods
 */
export async function trainFolds(
  { file, family, rows }: FoldRows,
  asked: TrainFoldsOptions,
  terminal: Terminal,
  leftOut: Uint8Array | null = null,
): Promise<FoldModels> {
  const { ordering, ...options } = asked;
  const { folds, seed, out } = options;
  const numbers = Array.from({ length: rows.rows }, (_, row) => row);
  const kept = leftOut === null ? numbers : numbers.filter((row) => leftOut[row] === 0);
  const foldOfPooled = foldsOfRows(kept.length, { folds, seed });
  // a row that is left out is judged by a model as any other
  const foldOf = Uint16Array.from(numbers, (row) => row % folds);
  pooledOrder(kept.length, VALID_SHARE, seed).forEach((row, place) => {
    foldOf[kept[row]!] = foldOfPooled[place]!;
  });
  const labels = { ...noLabels, title: shortName(file), sources: describeSources({ train: file }, seed) };
  const folder = out ?? (await mkdtemp(join(tmpdir(), 'orchard-outliers-')));
  const { shape } = family.words;
  // a model whose training draws nothing knows no seed
  const ownSeed = 'seed' in shape ? seed : undefined;
  const trainOne = async (at: string, words: object, own: readonly number[]): Promise<DensityModel> => {
    const { train: learned, valid } = splitRows(rows.selectRows(own), { valid: VALID_SHARE }, seed);
    const splits = { train: withTable(learned, rows), valid: withTable(valid!, rows) };
    const model = await trainIn(
      { family, words: { ...options, seed: ownSeed, ...words }, ordering, folder: at, splits, options, labels },
      terminal,
    );
    if (isTabular(model)) setLearnedCounts(model, codeCounts(model, learned));
    return model;
  };
  try {
    const models: DensityModel[] = [];
    if ('folds' in shape && ordering === undefined) {
      // a refit would learn from the rows of the fold too
      const words = { members: folds, folds, ...('refit' in shape && { refit: false }) };
      models.push(...((await trainOne(folder, words, kept)) as Mixture).members);
    } else {
      for (let fold = 0; fold < folds; fold++) {
        terminal.note(`orchard: fold ${String(fold + 1)} of ${String(folds)}`);
        const others = kept.filter((row) => foldOf[row] !== fold);
        models.push(await trainOne(join(folder, `fold-${String(fold + 1)}`), { folds: undefined }, others));
      }
    }
    return { models, foldOf };
  } finally {
    if (out === undefined) await rm(folder, { recursive: true, force: true });
  }
}

/** Of each variable the rows of each code. */
function codeCounts({ table, offsets }: TabularModel, rows: BitMatrix): readonly Uint32Array[] {
  return table.variables.map((variable, index) => {
    const counts = new Uint32Array(codeCount(variable));
    for (const code of readCodes(rows, offsets[index]!, offsets[index + 1]!)) counts[code]!++;
    return counts;
  });
}

/** A model to train in a folder of its own. */
export interface TrainingRequest {
  readonly family: Family;
  readonly words: Readonly<Record<string, unknown>>;
  readonly ordering?: readonly number[] | undefined;
  readonly folder: string;
  readonly splits: Splits;
  readonly options: Pick<TrainFoldsOptions, 'threads' | 'force'>;
  readonly labels: typeof noLabels;
}

/** @throws UsageError for a model that only bounds likelihoods */
export async function trainIn(
  { family, words, ordering, folder, splits, options, labels }: TrainingRequest,
  terminal: Terminal,
): Promise<DensityModel> {
  const datasets = { train: factsOf(splits.train), valid: factsOf(splits.valid), test: null };
  const { runId, specification, choice } = family.resolve(
    { ...(await modelWords(family, words, columnsOf(splits.train))), ...(ordering !== undefined && { ordering }) },
    datasets,
  );
  await refuseOtherRun(folder, { runId, specification, datasets }, { force: options.force === true, terminal });
  const directory = await RunDirectory.create(folder);
  await directory.register(splits.train);
  await directory.register(splits.valid);
  const trained: LocalRun[] = [];
  await directory.produce(
    {
      family,
      specification,
      choice,
      labels,
      threads: options.threads,
      again: 'the same command',
      splits: { ...splits, test: null },
      withReport: false,
      onModel: (local) => trained.push(local),
    },
    terminal,
  );
  const { model } = trained[0]!;
  if (!isBound(model)) return model;
  throw new UsageError({
    got: `--model ${family.name}, which bounds likelihoods`,
    expected: 'a model with exact likelihoods',
    where: '--model',
    remedy: 'Leave it out.',
  });
}

/** The row of the file at each place of training and validation rows together. */
function pooledOrder(rows: number, validShare: number, seed: number): Uint32Array {
  const splitOf = assignRows(rows, { valid: validShare }, seed);
  const numbers = Array.from(splitOf.keys());
  return Uint32Array.from([
    ...numbers.filter((row) => splitOf[row] === 0),
    ...numbers.filter((row) => splitOf[row] === 1),
  ]);
}

/** Training and validation rows in the order of the file. */
function pooled({ train, valid }: Splits, order: Uint32Array): BitMatrix {
  const rows = BitMatrix.create(order.length, train.dimensions, { names: train.names, shape: train.shape });
  order.forEach((row, place) => {
    const from = place < train.rows ? train : valid;
    const at = place < train.rows ? place : place - train.rows;
    rows.bytes.set(from.bytes.subarray(at * from.stride, (at + 1) * from.stride), row * rows.stride);
  });
  return rows;
}

/** The rows with the meaning that other rows of the same table have. */
export function withTable(rows: BitMatrix, { tableRows, names, shape }: BitMatrix): BitMatrix {
  const { table } = tableRows ?? {};
  const whole = BitMatrix.create(rows.rows, rows.dimensions, {
    names,
    shape,
    shared: true,
    tableRows: table === undefined ? null : { table, tailNats: table.variables.map(() => 0) },
  });
  whole.bytes.set(rows.bytes);
  return whole;
}
