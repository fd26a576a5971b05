import type { ColumnSum, Variable } from '@orchard/contracts';
import { codeCount, codesInOrder, decisionTreeOf, predictorOffsets, sumBitsInOrdering } from '@orchard/dataset';
import { tableOfVariables } from '@orchard/dataset/conformance/tables';
import { EnsembleBuilder, type Ensemble } from '@orchard/model';
import { exp, log, RandomStream } from '@orchard/numerics';
import { lineFeatures } from './line/line-features.js';
import { sidesOf, type Line } from './line/line.js';
import { TableModel } from './table-model.js';

export {
  allCodes,
  binary,
  categorical,
  countsOf,
  isLawOf,
  measured,
  ordered,
  randomVariables,
  rowsOfCodes,
  tableOfVariables,
} from '@orchard/dataset/conformance/tables';

/** A model whose decisions lean on what comes before them, in an ordering at random. */
export function randomModel(
  variables: readonly Variable[],
  seed: number,
  { trees = 4, strongest = 3, sums }: { trees?: number; strongest?: number; sums?: readonly ColumnSum[] } = {},
): TableModel {
  const stream = new RandomStream(seed, 1004);
  const ordering = Uint32Array.from(variables, (_, index) => index);
  for (let last = variables.length - 1; last > 0; last--) {
    const other = stream.below(last + 1);
    [ordering[last], ordering[other]] = [ordering[other]!, ordering[last]!];
  }
  const table = { ...tableOfVariables(variables), ...(sums !== undefined && { sums }) };
  const offsets = predictorOffsets(table, ordering);
  const ensembles = Array.from(ordering, (index, position) =>
    Array.from({ length: codeCount(variables[index]!) - 1 }, () =>
      randomEnsemble(stream, offsets[position]!, trees, strongest),
    ),
  );
  // every other seed: what holds of models holds of those that start from lines
  const lines =
    seed % 2 === 0
      ? null
      : randomLines(
          stream,
          Array.from(ordering, (index) => variables[index]!),
          sumBitsInOrdering(table, ordering),
        );
  return new TableModel({
    table,
    ordering,
    ensembles,
    lines,
    specification: { seed },
    likelihoods: { train: -1.5, valid: -2, test: null },
  });
}

/** A line for each ordered variable that has values to tell apart. */
function randomLines(
  stream: RandomStream,
  variables: readonly Variable[],
  sumBits: readonly number[],
): (Line | null)[] {
  const { offsets, firstBits: predictors } = lineFeatures(variables, sumBits);
  // of every other one numbers count beside their scores
  const hasNumbers = stream.below(2) === 1;
  const around = (width: number): number => width * (2 * stream.uniform() - 1);
  const numbers = (count: number, make: () => number): Float64Array => Float64Array.from({ length: count }, make);
  const bits = predictors[variables.length]!;
  const jumps = numbers(bits, () => stream.uniform());
  const steps = numbers(bits, () => (hasNumbers ? stream.uniform() : 0));
  return variables.map((variable, position) => {
    if (variable.kind !== 'ordered' || codesInOrder(variable).length < 2) return null;
    let edge = around(2) - 2;
    const earlier = [...variables.keys()].filter((at) => at < position && variables[at]!.kind === 'ordered');
    const pairs = hasNumbers ? earlier.slice(0, 3).map((one) => [one, earlier.at(-1)!] as const) : [];
    const edges = numbers(codesInOrder(variable).length - 1, () => (edge += 0.05 + stream.uniform()));
    return {
      intercept: around(1),
      edges,
      decisions: Uint8Array.from(sidesOf(variable, decisionTreeOf(variable), edges), (sides) =>
        sides === null ? 0 : 1,
      ),
      coefficients: numbers(offsets[position]!, () => around(1)),
      gains: numbers(position, () => stream.uniform()),
      jumps: jumps.subarray(0, predictors[position]!),
      slopes: numbers(position, () => (hasNumbers ? around(1) : 0)),
      steps: steps.subarray(0, predictors[position]!),
      pairs,
      curvatures: numbers(pairs.length, () => around(0.1)),
    };
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
