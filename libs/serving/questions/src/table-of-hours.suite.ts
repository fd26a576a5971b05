import type { OrderedVariable } from '@orchard/contracts';
import { codeCount } from '@orchard/dataset';
import { tableOfVariables } from '@orchard/dataset/conformance/tables';
import { emptyEnsemble, untold, type DensityModel } from '@orchard/model';
import { families } from '@orchard/registry';
import { TableModel } from '@orchard/tables';

export const hours = [1, 2, 3, 4, 5];

function hour(name: string): OrderedVariable {
  return {
    ...{ kind: 'ordered', name, holes: 0, measure: 'mass', values: hours, tails: null, cuts: [] },
    format: { type: 'number', decimals: 0, places: 0, padded: false },
    edges: hours.slice(1).map((value) => value - 0.5),
    counts: hours.map(() => 5),
    range: [1, 5],
  };
}

/**
 * A model of columns of hours that know nothing of each other.
 *
 * @param odds of each decision for the upper half of the hours
 */
export function modelOfHours(
  names: readonly string[],
  odds: number,
  rules: readonly { readonly words: string }[] = [],
): DensityModel {
  const variables = names.map(hour);
  const table = { ...tableOfVariables(variables), ...(rules.length > 0 && { rules }) };
  const ensembles = variables.map((variable) =>
    Array.from({ length: codeCount(variable) - 1 }, () => emptyEnsemble(odds)),
  );
  const ordering = Uint32Array.from(names.keys());
  const model = new TableModel({ table, ordering, ensembles, specification: null, likelihoods: untold });
  return families.openModel(model.toBytes());
}
