import type { Table } from '@orchard/contracts';
import type { LineFigures } from '@orchard/model';

/** Of each line so many columns are named. */
const COLUMNS_NAMED = 2;

/** What a line tells by each variable, and whether it looks at products of their numbers. */
export interface LineGains {
  readonly gains: Float64Array;
  readonly hasProducts: boolean;
}

/**
 * What is said of a variable's line: nothing where it starts from its rates.
 *
 * @param ofMembers the line of each member, or of one model; null of those without
 */
export function lineFigures(
  { variables }: Table,
  ofMembers: readonly (LineGains | null)[],
): { readonly line?: LineFigures } {
  const lines = ofMembers.filter((own) => own !== null);
  if (lines.length === 0) return {};
  const sums = variables.map((_, index) => lines.reduce((sum, own) => sum + own.gains[index]!, 0));
  const strongest = [...sums.keys()]
    .filter((index) => sums[index]! > 0)
    .sort((a, b) => sums[b]! - sums[a]! || a - b)
    .slice(0, COLUMNS_NAMED);
  return {
    line: {
      on: strongest.map((index) => variables[index]!.name),
      ...(lines.some(({ hasProducts }) => hasProducts) && { products: true as const }),
      ...(ofMembers.length > 1 && { members: lines.length }),
    },
  };
}
