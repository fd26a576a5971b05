import { meanLogDensities } from '@orchard/dataset';
import {
  concurrently,
  headOf,
  judgedModel,
  loadDataset,
  PipelineError,
  sharedCodes,
  type ComputationContext,
  type DataRequest,
  type Ending,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import { sparnSpecification, tableWeightSections, type SparnSpecification } from '@orchard/sparn-mixture';
import {
  attachTable,
  fitVariable,
  lawsOf,
  shareTable,
  SparnTable,
  weightsOfColumns,
  type SharedTable,
} from '@orchard/sparse-network';
import type { ObjectStore } from '@orchard/storage';
import { bestPenaltyOf, penaltyFigures, readsAtOnce } from './choose-penalty.js';
import { outputsOf, pathDocument, type PathDocument } from './path-document.js';
import { USUAL_PENALTIES, wholePenalties, type SparnWords } from './sparn-run.js';
import { readPath } from './stored-paths.js';

/** Networks of a table (thesis 5.2.3, real values): one task a variable for all λ, then one λ for all. */

/** @throws PipelineError `bad-request` for words of networks of bits */
export function wholeTableWords({
  penalty = USUAL_PENALTIES,
  interceptScaling = 10,
  ...others
}: SparnWords): Pick<SparnSpecification, 'penalty' | 'interceptScaling'> {
  // a seed is of the rows that are sampled too
  const other = Object.entries(others).find(([word, value]) => word !== 'seed' && value !== undefined)?.[0];
  if (other !== undefined)
    throw new PipelineError('bad-request', {
      got: `${other}, and a table`,
      expected: 'penalty and interceptScaling alone: a table has one network',
      where: other,
      remedy: 'Leave it out.',
    });
  return { penalty: wholePenalties(penalty), interceptScaling };
}

export async function loadTable(
  { train, valid }: { train: string; valid: string },
  { store }: ComputationContext,
): Promise<SharedTable> {
  return shareTable({ train: await loadDataset(store, train), valid: await loadDataset(store, valid) });
}

/** The conditional of a variable under every λ. @returns null where the task was cancelled */
export function tablePath(run: Run, column: number, { data, isCancelled }: ComputationContext): PathDocument | null {
  const { laws, train, valid } = data((handle) => attachTable(handle as SharedTable));
  const steps = [];
  for (const fitted of fitVariable(laws, column, train, valid, sparnSpecification(run))) {
    if (isCancelled()) return null;
    steps.push(fitted);
  }
  return pathDocument(steps);
}

export async function tableEnding(store: ObjectStore, run: Run, splits: Splits): Promise<Ending> {
  const { table } = splits.train.columns.codes;
  const { tried: ofCodes, best } = await bestPenaltyOf(store, run);
  const densities = meanLogDensities(splits.valid).reduce((sum, nats) => sum + nats, 0);
  const tried = ofCodes.map((one) => ({ ...one, valid: one.valid + densities }));
  const columns = Array.from(table.variables.keys());
  const paths = await concurrently(columns, readsAtOnce, async (column) => {
    const path = await readPath(store, run.id, column);
    return { outputs: outputsOf(path, best), deviation: path.deviations![best]! };
  });
  const parts = {
    laws: lawsOf(table),
    sparse: weightsOfColumns(paths.flatMap(({ outputs }) => outputs)),
    deviations: Float64Array.from(paths, ({ deviation }) => deviation),
  };
  const { specification } = headOf(run, splits.train, { chosen: tried[best]!.penalty });
  const model = judgedModel((likelihoods) => new SparnTable({ table, specification, likelihoods }, parts), splits);
  return {
    model,
    figures: penaltyFigures({ model, tried }),
    sections: () => tableWeightSections(model, tried),
  };
}

/** The codes that conditionals learn from: of a thread all columns', those with a number twice; slopes and scores. */
export function codesOf(run: Run): DataRequest {
  const { train, valid } = run.datasets;
  return sharedCodes(run, (train.rows + valid.rows) * (4 * train.table!.variables.length + 64));
}
