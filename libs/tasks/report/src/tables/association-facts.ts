import type { Table } from '@orchard/contracts';
import {
  associationsOf,
  coarseGroups,
  codeOffsets,
  groupsFor,
  inGroups,
  readCodes,
  strengthsOf,
  type BitMatrix,
  type CodeGroups,
} from '@orchard/dataset';
import type { AssociationFacts, PairFacts } from './table-facts.js';

/** Variables of which all pairs are compared, and of these those in the matrix. */
const COMPARED = 200;
const SHOWN = 32;
const LISTED = 10;

/**
 * Associations in training rows beside those in draws. Draws are taken in as many rows as the data has, and what these
 * come to is averaged: what chance adds to an estimate depends on the rows.
 *
 * @param worth of each variable: where there are too many, those worth most are compared
 */
export function associationFacts(
  table: Table,
  train: BitMatrix,
  draws: BitMatrix,
  worth: readonly number[],
): Omit<AssociationFacts, 'scatters'> {
  const { variables } = table;
  const compared = mostOf(worth, COMPARED);
  const size = compared.length;
  const batch = Math.min(train.rows, draws.rows);
  const most = groupsFor(batch);
  const groups = compared.map((index) => coarseGroups(variables[index]!, most));
  const nats = batchedAssociations(groupedColumns(table, train, compared, groups), groups, train.rows);
  const data = strengthsOf(nats, size);
  const drawn = strengthsOf(batchedAssociations(groupedColumns(table, draws, compared, groups), groups, batch), size);
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
    pairs
      .toSorted((one, other) => key(other) - key(one))
      .slice(0, LISTED)
      .filter((pair) => key(pair) > 0);
  return {
    names: shown.map((place) => variables[compared[place]!]!.name),
    compared: size,
    groups: most,
    data: within(data),
    draws: within(drawn),
    rows: { data: train.rows, draws: draws.rows - (draws.rows % batch) },
    strongest: listed(({ data: strength }) => strength),
    missed: listed((pair) => Math.abs(pair.data - pair.draws)),
  };
}

function groupedColumns(
  table: Table,
  rows: BitMatrix,
  indexes: readonly number[],
  groups: readonly CodeGroups[],
): readonly Uint16Array[] {
  const offsets = codeOffsets(table);
  return indexes.map((index, place) => inGroups(readCodes(rows, offsets[index]!, offsets[index + 1]!), groups[place]!));
}

/** The mean of the associations in batches of so many rows; what is left over is not looked at. */
function batchedAssociations(
  columns: readonly Uint16Array[],
  groups: readonly CodeGroups[],
  rows: number,
): Float64Array {
  const sums = new Float64Array(columns.length ** 2);
  const counts = groups.map((each) => each.groups);
  const batches = Math.floor(columns[0]!.length / rows);
  for (let batch = 0; batch < batches; batch++) {
    const own = columns.map((codes) => codes.subarray(batch * rows, (batch + 1) * rows));
    associationsOf(own, counts).forEach((nats, at) => {
      sums[at]! += nats / batches;
    });
  }
  return sums;
}

/** Places of the greatest, in their order. */
function mostOf(worth: readonly number[], most: number): number[] {
  return worth
    .map((_, place) => place)
    .sort((one, other) => worth[other]! - worth[one]! || one - other)
    .slice(0, most)
    .sort((one, other) => one - other);
}
