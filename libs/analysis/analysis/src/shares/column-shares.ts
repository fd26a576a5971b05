import { holeCode, type Restriction } from '@orchard/dataset';
import { ModelError, type ColumnShares, type Part, type TabularModel } from '@orchard/model';
import { restrictionsOf, type Given } from '@orchard/registry';

/** A column, and what share of the rows is to have each of some values. */
export interface SaidShares {
  readonly column: string;
  readonly parts: readonly { readonly value: Given; readonly words: string; readonly share: number }[];
}

/** How far shares may be from 1 together: people write .33,.33,.34 and .333,.333,.333. */
const ROUNDED = 0.002;

/**
 * Shares of the columns of a model.
 *
 * @throws DatasetError for a column that the model has not, and for what none of its rows can have; ModelError
 *   `invalid-argument` for shares that are not 1 together, and for parts that overlap
 */
export function sharesOf({ table }: TabularModel, said: readonly SaidShares[]): ColumnShares[] {
  const columns = said.map(({ column, parts }): ColumnShares => {
    let index = -1;
    const own = parts.map(({ value, words, share }): Part => {
      const [[at, allowed]] = [...restrictionsOf(table, [[column, [value]]])] as [[number, Restriction]];
      index = at;
      return { words: words === '' ? '(missing)' : words, allowed, share };
    });
    const sum = own.reduce((all, { share }) => all + share, 0);
    if (Math.abs(sum - 1) > ROUNDED)
      throw refusal(
        `shares of ${column} that are ${String(Number(sum.toFixed(6)))} together`,
        '1',
        `Name all values that rows may have; those that are not named are not sampled.`,
      );
    refuseOverlap(column, own);
    return { index, name: column, parts: own.map((part) => ({ ...part, share: part.share / sum })) };
  });
  const twice = columns.find(({ index }, at) => columns.findIndex((other) => other.index === index) < at);
  if (twice === undefined) return columns;
  throw refusal(`${twice.name} twice`, 'each column once', 'Give all shares of a column at once.');
}

function refuseOverlap(column: string, parts: readonly Part[]): void {
  const codes = parts[0]!.allowed.weights.length;
  for (let code = 0; code < codes; code++) {
    const owners = parts.filter(({ allowed }) => allowed.weights[code]! > 0);
    const sum = owners.reduce((all, { allowed }) => all + allowed.weights[code]!, 0);
    if (sum <= 1 + 1e-9) continue;
    throw refusal(
      `${owners.map(({ words }) => words).join(' and ')} of ${column}, which have values in common`,
      'parts that have none in common',
      'A range holds both of its ends: write ..39 and 40.., not ..40 and 40...',
    );
  }
}

/** The labels that training had, of which no share was said; missing values are among them. */
export function notNamed({ table }: TabularModel, { index, parts }: ColumnShares): readonly string[] {
  const variable = table.variables[index]!;
  if (variable.kind === 'ordered') return [];
  const isNamed = (code: number): boolean => parts.some(({ allowed }) => allowed.weights[code]! > 0);
  const labels = variable.labels.filter((_, code) => !isNamed(code));
  const hole = holeCode(variable);
  return hole === null || isNamed(hole) ? labels : [...labels, '(missing)'];
}

function refusal(got: string, expected: string, remedy: string): ModelError {
  return new ModelError('invalid-argument', { got, expected, where: 'shares', remedy });
}
