import type { RawTable } from '@orchard/dataset';
import { encodeParts } from '@orchard/dataset';
import { NewCellCounts, scoreTable, type DensityModel, type NewCells, type TabularModel } from '@orchard/model';
import { exp, greatestOf, log, placeOfGreatest, seedBehind, sumOf } from '@orchard/numerics';

/** The model of the rows that have one value in the column of classes. */
export interface ClassModel<Model extends DensityModel = DensityModel> {
  readonly label: string;
  /** Training and validation rows of the class. */
  readonly rows: number;
  /** With exact likelihoods. */
  readonly model: Model;
}

/** What rows are taken to be. */
export interface Classified {
  /** Of each row, by class: P(class | x). */
  readonly probabilities: readonly Float64Array[];
  /** The most probable class of each row, by number; of equal ones the earlier. */
  readonly predicted: readonly number[];
}

/**
 * P(class | x) of each row by Bayes' rule: the class's share of the training rows times the row's likelihood
 * under the model of its class. A missing value is a value of its own where training had it. One pass over the rows,
 * whatever the number of classes: all models are of the same columns.
 *
 * @param raw read as the models' training rows were
 * @param seed of what is drawn for unknown values
 */
export async function classify(
  classes: readonly ClassModel<TabularModel>[],
  raw: RawTable,
  seed: number,
): Promise<Classified & { readonly newCells: readonly NewCells[] }> {
  const first = classes[0]!.model;
  const newCells = new NewCellCounts(first);
  const ofParts: Float64Array[][] = [];
  for await (const part of encodeParts(raw, first.table, how)) {
    ofParts.push(
      classes.map(
        ({ model }) => scoreTable(model, part, { seed: seedBehind(seed, ofParts.length), withCells: false }).nats,
      ),
    );
    newCells.add(part);
  }
  const parts = ofParts.map((nats) => classified(classes, nats));
  return {
    probabilities: parts.flatMap(({ probabilities }) => probabilities),
    predicted: parts.flatMap(({ predicted }) => predicted),
    newCells: newCells.cells,
  };
}

const how = { missing: 'value', withDensities: true, mayBeUnknown: true } as const;

/** @param nats of each class those of every row */
function classified(classes: readonly ClassModel[], nats: readonly Float64Array[]): Classified {
  const all = classes.reduce((sum, { rows }) => sum + rows, 0);
  const priors = classes.map(({ rows }) => log(rows / all));
  const probabilities = Array.from(nats[0]!, (_, row) =>
    posterior(
      priors,
      Float64Array.from(nats, (ofClass) => ofClass[row]!),
    ),
  );
  return { probabilities, predicted: probabilities.map(placeOfGreatest) };
}

/** Bayes' rule; where the row is impossible under every model, what is known without it. */
export function posterior(logPriors: readonly number[], logLikelihoods: Float64Array): Float64Array {
  const joint = logLikelihoods.map((nats, index) => nats + logPriors[index]!);
  const most = greatestOf(joint);
  const shares = most === -Infinity ? Float64Array.from(logPriors, exp) : joint.map((one) => exp(one - most));
  const sum = sumOf(shares);
  return shares.map((share) => share / sum);
}
