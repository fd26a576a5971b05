import type { Table } from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import type { AssociationFacts, PairFacts } from '@orchard/report';
import { associationsOf, coarseGroups, strengthsOf } from '../associations.js';
import { groupedColumns } from './marginals.js';

/** Variables of which all pairs are compared, and of these those in the matrix. */
export const COMPARED = 200;
const SHOWN = 32;
const LISTED = 10;

/**
 * Associations in training rows beside those in as many draws.
 *
 * @param worth of each variable: where there are too many, those worth most are compared
 */
export function associationFacts(
  table: Table,
  train: BitMatrix,
  draws: BitMatrix,
  worth: readonly number[],
): AssociationFacts {
  const { variables } = table;
  const compared = mostOf(worth, COMPARED);
  const size = compared.length;
  const counts = compared.map((index) => coarseGroups(variables[index]!).groups);
  const nats = associationsOf(groupedColumns(table, train, compared), counts);
  const data = strengthsOf(nats, size);
  const drawn = strengthsOf(associationsOf(groupedColumns(table, draws, compared), counts), size);
  const pairs: PairFacts[] = [];
  const best = new Array<number>(size).fill(0);
  for (let one = 0; one < size; one++) {
    for (let other = 0; other < one; other++) {
      const at = one * size + other;
      best[one] = Math.max(best[one]!, data[at]!, drawn[at]!);
      best[other] = Math.max(best[other]!, data[at]!, drawn[at]!);
      const [first, second] = [variables[compared[other]!]!.name, variables[compared[one]!]!.name];
      pairs.push({ one: first, other: second, data: data[at]!, draws: drawn[at]!, nats: nats[at]! });
    }
  }
  const shown = mostOf(best, SHOWN);
  const within = (strengths: Float64Array): Float64Array =>
    Float64Array.from(
      { length: shown.length ** 2 },
      (_, at) => strengths[shown[Math.floor(at / shown.length)]! * size + shown[at % shown.length]!]!,
    );
  const listed = (key: (pair: PairFacts) => number): PairFacts[] =>
    pairs.toSorted((one, other) => key(other) - key(one)).slice(0, LISTED);
  return {
    names: shown.map((place) => variables[compared[place]!]!.name),
    compared: size,
    data: within(data),
    draws: within(drawn),
    rows: { data: train.rows, draws: draws.rows },
    strongest: listed(({ data: strength }) => strength).filter(({ data: strength }) => strength > 0),
    missed: listed((pair) => Math.abs(pair.data - pair.draws)).slice(0, LISTED / 2),
  };
}

/** Places of the greatest, in their order. */
function mostOf(worth: readonly number[], most: number): number[] {
  return worth
    .map((_, place) => place)
    .sort((one, other) => worth[other]! - worth[one]! || one - other)
    .slice(0, most)
    .sort((one, other) => one - other);
}
