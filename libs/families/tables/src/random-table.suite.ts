import type { Variable } from '@orchard/contracts';
import { codeCount, predictorOffsets } from '@orchard/dataset';
import { tableOfVariables } from '@orchard/dataset/conformance/tables';
import { EnsembleBuilder, type Ensemble } from '@orchard/model';
import { exp, log, RandomStream } from '@orchard/numerics';
import { TableModel } from './table-model.js';

export {
  allCodes,
  binary,
  categorical,
  isLawOf,
  ordered,
  randomVariables,
  rowsOfCodes,
  tableOfVariables,
} from '@orchard/dataset/conformance/tables';

/** A model whose decisions lean on what comes before them, in an ordering at random. */
export function randomModel(
  variables: readonly Variable[],
  seed: number,
  { trees = 4, strongest = 3 } = {},
): TableModel {
  const stream = new RandomStream(seed, 1004);
  const ordering = Uint32Array.from(variables, (_, index) => index);
  for (let last = variables.length - 1; last > 0; last--) {
    const other = stream.below(last + 1);
    [ordering[last], ordering[other]] = [ordering[other]!, ordering[last]!];
  }
  const offsets = predictorOffsets({ variables: Array.from(ordering, (index) => variables[index]!) });
  const ensembles = Array.from(ordering, (index, position) =>
    Array.from({ length: codeCount(variables[index]!) - 1 }, () =>
      randomEnsemble(stream, offsets[position]!, trees, strongest),
    ),
  );
  return new TableModel({
    table: tableOfVariables(variables),
    ordering,
    ensembles,
    specification: { seed },
    likelihoods: { train: -1.5, valid: -2, test: null },
  });
}

function randomEnsemble(stream: RandomStream, predictors: number, trees: number, strongest: number): Ensemble {
  const builder = new EnsembleBuilder(0.5 + stream.uniform());
  for (let tree = 0; tree < trees; tree++) {
    const splits = predictors === 0 ? 0 : 1 + stream.below(3);
    builder.push({
      splitLeaf: Array.from({ length: splits }, (_, split) => stream.below(split + 1)),
      splitPredictor: Array.from({ length: splits }, () => stream.below(predictors)),
      splitGain: Array.from({ length: splits }, () => stream.uniform() * 10),
      leafFactor: Array.from({ length: splits + 1 }, () => exp(log(strongest) * (2 * stream.uniform() - 1))),
    });
  }
  return builder.build();
}
