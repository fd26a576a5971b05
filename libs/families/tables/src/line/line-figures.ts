import type { Table } from '@orchard/contracts';
import type { LineFigures } from '@orchard/model';

/** Of each line so many columns are named. */
const COLUMNS_NAMED = 2;

/**
 * What is said of a variable's line: nothing where it starts from its rates.
 *
 * @param gains what the line tells by each variable: of a mixture one a member, null of those without a line
 */
export function lineFigures(
  { variables }: Table,
  gains: readonly (Float64Array | null)[],
): { readonly line?: LineFigures } {
  const lines = gains.filter((own) => own !== null);
  if (lines.length === 0) return {};
  const sums = variables.map((_, index) => lines.reduce((sum, own) => sum + own[index]!, 0));
  const strongest = [...sums.keys()]
    .filter((index) => sums[index]! > 0)
    .sort((a, b) => sums[b]! - sums[a]! || a - b)
    .slice(0, COLUMNS_NAMED);
  return {
    line: {
      on: strongest.map((index) => variables[index]!.name),
      ...(gains.length > 1 && { members: lines.length }),
    },
  };
}
