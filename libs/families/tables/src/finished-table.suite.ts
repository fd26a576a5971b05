import { presets } from '@orchard/contracts';
import { fieldRows, meanLogDensities, readTableSplits, type SplitFractions } from '@orchard/dataset';
import { openText } from '@orchard/dataset/conformance/tables';
import { loadKernel, TrainingData } from '@orchard/kernel';
import type { VariableFigures } from '@orchard/model';
import { NUMERICS_VERSION } from '@orchard/numerics';
import type { FinishedTable } from '@orchard/report';
import { factsOf } from './report.js';
import { TableModel } from './table-model.js';
import type { TablesRun } from './tables-run.js';
import { trainVariable } from './train-variable.js';
import { VariableWork } from './variable-work.js';

/** Few and small trees: what a page is about has to be there, not to be good. */
const options = { ...presets.default, leaves: 4, rounds: 8, shrinkage: 0.5, patience: 4, seed: 3 };

/** A table in CSV, trained as a run would, with neither a store nor threads. */
export async function finishedTable(
  text: string,
  fractions: SplitFractions = { valid: 0.2, test: 0.2 },
): Promise<FinishedTable> {
  const raw = await openText(text);
  const read = await readTableSplits({ train: raw, valid: null, test: null }, fractions, 1, {});
  await raw.close();
  const splits = { train: read.train, valid: read.valid!, test: read.test };
  const { table } = read;
  const ordering = Uint32Array.from(table.variables, (_, index) => index);
  const of = { table, ordering };
  const kernel = await loadKernel('reference');
  const data = TrainingData.arrange(
    {
      train: fieldRows(splits.train, table, ordering),
      valid: fieldRows(splits.valid, table, ordering),
      test: splits.test && fieldRows(splits.test, table, ordering),
    },
    { threads: 1, leaves: options.leaves },
  );
  const boosting = { ...options, maxLeafValue: options.maxLeafValue ?? Infinity };
  const trained = Array.from(ordering, (position) =>
    trainVariable(new VariableWork(kernel, data), { ...of, position, options: boosting })!,
  );
  const densities = {
    train: meanLogDensities(splits.train),
    valid: meanLogDensities(splits.valid),
    test: splits.test === null ? null : meanLogDensities(splits.test),
  };
  const variables = trained.map((own, index): VariableFigures => ({
    name: table.variables[index]!.name,
    train: own.train / splits.train.rows + densities.train[index]!,
    valid: own.valid / splits.valid.rows + densities.valid[index]!,
    test: splits.test === null ? null : own.test! / splits.test.rows + densities.test![index]!,
  }));
  const model = new TableModel({
    ...of,
    ensembles: trained.map(({ ensembles }) => ensembles),
    specification: null,
    likelihoods: { train: 0, valid: 0, test: null },
  });
  const digest = (digit: string): string => digit.repeat(64);
  const run = {
    ...of,
    found: new Map(),
    id: digest('a'),
    specification: {
      ...options,
      family: 'tables',
      train: digest('b'),
      valid: digest('c'),
      test: null,
      ordering: 'natural',
      numericsVersion: NUMERICS_VERSION,
    },
  } as unknown as TablesRun;
  return { ...factsOf(run, variables), model, variables, splits };
}

/** Lines of CSV: each row from its number and from numbers in [0, 1) that are the same each time. */
export function csvRows(
  head: string,
  rows: number,
  row: (at: number, next: () => number) => readonly (string | number)[],
): string {
  let state = 11;
  const next = (): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) / 0x800000;
  };
  return [head, ...Array.from({ length: rows }, (_, at) => row(at, next).join(','))].join('\n');
}
