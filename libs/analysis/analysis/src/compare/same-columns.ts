import type { Variable } from '@orchard/contracts';
import { listNames } from '@orchard/dataset';
import { ModelError, type TabularModel } from '@orchard/model';

/** Two models of the same columns, A and B. */
export interface SameColumns {
  /** In the order of A. */
  readonly names: readonly string[];
  /** Of each of A's columns its place in B. */
  readonly places: readonly number[];
  /**
   * Columns of which one model has values apart that the other merges, which makes the other likelier for that alone.
   */
  readonly otherLabels: readonly string[];
}

/**
 * Finds each column of one model in another.
 *
 * @throws ModelError `invalid-argument` where the models are of other columns, or a column has masses in one and a
 *   density in the other: their difference would depend on its unit
 */
export function matchColumns(a: TabularModel, b: TabularModel): SameColumns {
  const [names, others] = [namesOf(a), namesOf(b)];
  const missing = names.filter((name) => !others.includes(name));
  const more = others.filter((name) => !names.includes(name));
  if (missing.length > 0 || more.length > 0) throw otherColumns(a, b, missing, more);
  const places = names.map((name) => others.indexOf(name));
  const pairs = a.table.variables.map((variable, index) => [variable, b.table.variables[places[index]!]!] as const);
  for (const [own, other] of pairs) if (measureOf(own) !== measureOf(other)) throw otherMeasure(own);
  const otherLabels = pairs
    .filter(([own, other]) => measureOf(own) === 'mass' && valuesOf(own) !== valuesOf(other))
    .map(([{ name }]) => name);
  return { names, places, otherLabels };
}

function otherColumns(
  a: TabularModel,
  b: TabularModel,
  missing: readonly string[],
  more: readonly string[],
): ModelError {
  const parts = [
    `${kindOf(b)} of ${String(namesOf(b).length)} columns`,
    ...(missing.length > 0 ? [`without ${listNames(missing)}`] : []),
    ...(more.length > 0 ? [`with ${listNames(more)}`] : []),
  ];
  return new ModelError('invalid-argument', {
    got: parts.join(', '),
    expected: `the ${String(namesOf(a).length)} columns of A, ${kindOf(a)}`,
    where: 'B',
    remedy: 'Give two models of the same columns; orchard inspect says what a model is of.',
  });
}

function otherMeasure(own: Variable): ModelError {
  const masses = 'single values, of which it has masses';
  const densities = 'numbers in bins, of which it has a density';
  const isMass = measureOf(own) === 'mass';
  return new ModelError('invalid-argument', {
    got: `${JSON.stringify(own.name)} as ${isMass ? densities : masses}`,
    expected: `it as A has it, as ${isMass ? masses : densities}: the two cannot be compared`,
    where: 'B',
    remedy: 'Train both with the same --type and --bins.',
  });
}

function namesOf({ table }: TabularModel): string[] {
  return table.variables.map(({ name }) => name);
}

function kindOf({ ofBits }: TabularModel): string {
  return ofBits === undefined ? 'the model of a table' : 'a model of rows of 0 and 1';
}

function measureOf(variable: Variable): 'mass' | 'density' {
  return variable.kind === 'ordered' ? variable.measure : 'mass';
}

function valuesOf(variable: Variable): string {
  return JSON.stringify([...(variable.kind === 'ordered' ? variable.values.map(String) : variable.labels)].sort());
}
