import { codeCount, predictorOffsets } from '@orchard/dataset';
import {
  ModelError,
  readNetworkBody,
  validateEnsemble,
  writeNetworkBody,
  type BodyArrays,
  type Ensemble,
  type ModelBody,
  type ModelHead,
} from '@orchard/model';

/**
 * The arrays of a table's model file: as a network's, with an ensemble for each decision of each variable in the
 * ordering.
 */
export function tableArrays(ordering: Uint32Array, ensembles: readonly (readonly Ensemble[])[]): BodyArrays {
  return writeNetworkBody({ ordering, ensembles: ensembles.flat() });
}

/** @throws ModelError where the arrays contradict the head or each other */
export function readTableBody(
  { table, dimensions }: ModelHead,
  body: ModelBody,
): { readonly ordering: Uint32Array; readonly ensembles: readonly (readonly Ensemble[])[] } {
  if (table === undefined) throw refusal('no variables', `the variables of ${String(dimensions)} bits`, 'table');
  const { variables } = table;
  const decisions = variables.map((variable) => codeCount(variable) - 1);
  const all = decisions.reduce((sum, count) => sum + count, 0);
  const { ordering, ensembles } = readNetworkBody(body, variables.length, all);
  if (new Set(ordering).size !== variables.length || ordering.some((index) => index >= variables.length))
    throw refusal(`the ordering ${[...ordering].slice(0, 10).join(', ')}`, 'every variable once', 'ordering');
  const predictors = predictorOffsets({ variables: Array.from(ordering, (index) => variables[index]!) });
  let first = 0;
  const byPosition = Array.from(ordering, (index, position) => {
    const own = ensembles.slice(first, first + decisions[index]!);
    first += own.length;
    for (const ensemble of own) validateEnsemble(ensemble, predictors[position]!);
    return own;
  });
  return { ordering, ensembles: byPosition };
}

function refusal(got: string, expected: string, where: string): ModelError {
  return new ModelError('invalid-network', {
    got,
    expected,
    where,
    remedy: 'Get the file again from where it was made.',
  });
}
