import type { Variable } from '@orchard/contracts';
import { listNames } from '@orchard/dataset';
import { asTabular } from '@orchard/model';
import { UsageError } from '../errors.js';
import type { LoadedNetwork } from '../models/load-network.js';
import type { Terminal } from '../output/terminal.js';

/**
 * The columns of two models, in the order of the first, and the place of each in the second.
 *
 * @throws UsageError where they are not of the same columns
 */
export function matchedColumns(one: LoadedNetwork, other: LoadedNetwork): [names: string[], places: number[]] {
  const [names, others] = [columnsOf(one), columnsOf(other)];
  const places = names.map((name) => others.indexOf(name));
  const [missing, more] = [
    names.filter((name) => !others.includes(name)),
    others.filter((name) => !names.includes(name)),
  ];
  if (missing.length === 0 && more.length === 0) return [names, places];
  const parts = [
    `${kindOf(other)} of ${String(others.length)} columns`,
    ...(missing.length > 0 ? [`without ${listNames(missing)}`] : []),
    ...(more.length > 0 ? [`with ${listNames(more)}`] : []),
  ];
  throw new UsageError({
    got: `${parts.join(', ')}`,
    expected: `the ${String(names.length)} columns of A, ${kindOf(one)}`,
    where: 'B',
    remedy: 'Give two models of the same columns; orchard inspect says what a model is of.',
  });
}

/**
 * @throws UsageError where a column has masses in one model and a density in the other: their difference depends on its
 *   unit
 */
export function refuseOtherMeasures(one: LoadedNetwork, other: LoadedNetwork): void {
  const others = variablesOf(other);
  const odd = [...variablesOf(one).values()].find((variable) => {
    const same = others.get(variable.name);
    return same !== undefined && measureOf(same) !== measureOf(variable);
  });
  if (odd === undefined) return;
  const isMass = measureOf(odd) === 'mass';
  throw new UsageError({
    got: `${JSON.stringify(odd.name)} as ${isMass ? 'numbers in bins, of which it has a density' : 'single values, of which it has masses'}`,
    expected: `it as A has it, as ${isMass ? 'single values, of which it has masses' : 'numbers in bins, of which it has a density'}: the two cannot be compared`,
    where: 'B',
    remedy: 'Train both with the same --type and --bins.',
  });
}

/** Names the columns whose values one model distinguishes and the other merges, which makes the other likelier. */
export function sayOtherLabels(one: LoadedNetwork, other: LoadedNetwork, terminal: Terminal): void {
  const others = variablesOf(other);
  const names = [...variablesOf(one).values()]
    .filter((variable) => {
      const same = others.get(variable.name);
      return same !== undefined && measureOf(variable) === 'mass' && valuesOf(same) !== valuesOf(variable);
    })
    .map(({ name }) => name);
  if (names.length > 0)
    terminal.note(
      `orchard: A and B tell other values of ${listNames(names)} apart: where one of them takes values together it is likelier for that alone`,
    );
}

function columnsOf({ network }: LoadedNetwork): string[] {
  return asTabular(network).table.variables.map(({ name }) => name);
}

function kindOf({ network }: LoadedNetwork): string {
  return network.table === undefined ? 'a model of rows of 0 and 1' : 'the model of a table';
}

function variablesOf({ network }: LoadedNetwork): Map<string, Variable> {
  return new Map(asTabular(network).table.variables.map((variable) => [variable.name, variable]));
}

function measureOf(variable: Variable): 'mass' | 'density' {
  return variable.kind === 'ordered' ? variable.measure : 'mass';
}

function valuesOf(variable: Variable): string {
  return JSON.stringify([...(variable.kind === 'ordered' ? variable.values.map(String) : variable.labels)].sort());
}
