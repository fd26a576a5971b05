import { readCodes, wordsOf, type BitMatrix } from '@orchard/dataset';
import { distributionsOf, type TabularModel } from '@orchard/model';
import { exp, sumOf } from '@orchard/numerics';
import { expectedOf } from './expected-facts.js';
import type { ExpectedFacts, OddRowFacts, OddRowsFacts, ReasonFacts } from './table-facts.js';

const SHOWN = 10;
const REASONS = 3;
/** Nats above the mean from which on a value is a reason. */
const LEAST_SURPRISE = 1;

/**
 * The rows with the highest anomaly scores among the held-out rows, and the columns that make them so; of equal rows,
 * as those that stand as often as they weigh, the first. The score sums, over the columns, how far a code is more
 * surprising than is typical of its column in these rows.
 *
 * @param cells log P(code | earlier codes), element `row * V + variable`
 * @param places where each row stands among all held-out rows
 * @param ownLogRates of each variable by code
 */
export function oddRowsOf(
  model: TabularModel,
  rows: BitMatrix,
  cells: Float64Array,
  places: readonly number[],
  of: number,
  ownLogRates: readonly Float64Array[],
): OddRowsFacts {
  const { variables, table, offsets } = model;
  const means = new Float64Array(variables);
  const nats = new Float64Array(rows.rows);
  for (let row = 0; row < rows.rows; row++)
    for (let index = 0; index < variables; index++) {
      const value = cells[row * variables + index]!;
      nats[row]! += value;
      means[index]! += value / rows.rows;
    }
  const surpriseOf = (row: number, index: number): number => means[index]! - cells[row * variables + index]!;
  const scores = nats.map((_, row) => {
    let score = 0;
    for (let index = 0; index < variables; index++) score += Math.max(0, surpriseOf(row, index));
    return score;
  });
  const odd = differentRows(
    [...scores.keys()].sort((one, other) => scores[other]! - scores[one]! || one - other),
    rows,
  );
  const reasonsOf = odd.map((row) => {
    const indexes = table.variables
      .map((_, index) => index)
      .sort((one, other) => surpriseOf(row, other) - surpriseOf(row, one));
    return indexes.slice(0, REASONS).filter((index, at) => at === 0 || surpriseOf(row, index) >= LEAST_SURPRISE);
  });
  const matrix = rows.selectRows(odd);
  const codes = table.variables.map((_, index) => readCodes(matrix, offsets[index]!, offsets[index + 1]!));
  const expected = new Map<number, readonly (readonly ExpectedFacts[])[]>();
  const explained = [...new Set(reasonsOf.flat())];
  let place = 0;
  for (const distribution of distributionsOf(model, matrix, explained)) {
    const index = explained[place++]!;
    expected.set(index, expectedOf(table.variables[index]!, distribution, odd.length));
  }
  return {
    rows: rows.rows,
    of,
    mean: sumOf(means),
    shown: odd.map((row, at): OddRowFacts => ({
      row: places[row]! + 1,
      score: scores[row]!,
      nats: nats[row]!,
      reasons: reasonsOf[at]!.map((index): ReasonFacts => {
        const variable = table.variables[index]!;
        const code = codes[index]![at]!;
        return {
          name: variable.name,
          value: wordsOf(variable, code),
          probability: exp(cells[row * variables + index]!),
          ownRate: exp(ownLogRates[index]![code]!),
          surprise: surpriseOf(row, index),
          expected: expected.get(index)![at]!,
        };
      }),
      cells: table.variables.map((variable, index) => [variable.name, wordsOf(variable, codes[index]![at]!)]),
    })),
  };
}

/** The first rows that differ from those before them, as many as are shown. */
function differentRows(ordered: readonly number[], { bytes, stride }: BitMatrix): number[] {
  const known = new Set<string>();
  const found: number[] = [];
  for (const row of ordered) {
    if (found.length === SHOWN) break;
    const codes = Buffer.from(bytes.buffer, bytes.byteOffset + row * stride, stride).toString('latin1');
    if (known.has(codes)) continue;
    known.add(codes);
    found.push(row);
  }
  return found;
}
