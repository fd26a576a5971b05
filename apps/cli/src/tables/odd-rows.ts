import { codeCount, encodeParts, expectedWords, type EncodedPart } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import { nats as figure } from '../output/figures.js';
import { harmlessLine } from '../output/harmless.js';
import type { FileScores } from './score-file.js';

/** A column of a row that speaks against it. */
export interface Reason {
  readonly column: string;
  readonly value: string | null;
  readonly probability: number;
  readonly expected: string;
  readonly surprise: number;
}

/** One of the least likely rows, counted from 1, and the columns that speak most against it. */
export interface OddRow {
  readonly row: number;
  readonly logLikelihood: number;
  readonly reasons: readonly Reason[];
}

/** Rows whose odds are worked out at a time. */
const ROWS_AT_A_TIME = 1024;

/** The least likely rows, the least likely first, and the columns that speak most against them. One more pass over the file. */
export async function worstRows(scores: FileScores, count: number, top: number): Promise<OddRow[]> {
  const rank = new Map(leastLikely(scores.nats, count).map((row, at) => [row, at]));
  const worst = new Array<OddRow>(rank.size);
  for await (const odd of explainRows(scores, top, [...rank.keys()])) worst[rank.get(odd.row - 1)!] = odd;
  return worst;
}

/** So many rows of the least nats, ascending; of equal ones the earlier. */
export function leastLikely(nats: Float64Array, count: number): number[] {
  const size = Math.min(count, nats.length);
  const most = nats.slice().sort()[size - 1]!;
  const below: number[] = [];
  const equal: number[] = [];
  nats.forEach((value, row) => {
    if (value < most) below.push(row);
    else if (value === most && equal.length < size) equal.push(row);
  });
  return [...below.sort((a, b) => nats[a]! - nats[b]! || a - b), ...equal].slice(0, size);
}

/**
 * Rows of a file, as they come, with the columns whose surprise is furthest beyond what is usual of them: none of a row with unknown
 * values. One pass over the file.
 *
 * @param wanted rows from 0. @default all
 */
export async function* explainRows(
  { model, raw, missing, nats, means }: FileScores,
  top: number,
  wanted?: readonly number[],
): AsyncGenerator<OddRow, void> {
  const ascending = wanted?.toSorted((a, b) => a - b);
  // parts come in order, and so do the rows that are wanted of them
  let next = 0;
  const rowsBefore = (end: number): readonly number[] => {
    const from = next;
    while (next < (ascending?.length ?? nats.length) && (ascending?.[next] ?? next) < end) next++;
    return ascending?.slice(from, next) ?? Array.from({ length: next - from }, (_, at) => from + at);
  };
  const isWanted = (from: number, to: number): boolean => {
    const row = ascending?.[next] ?? from;
    return (ascending === undefined || next < ascending.length) && row >= from && row < to;
  };
  const options = { missing, withDensities: true, mayBeUnknown: true };
  for await (const part of encodeParts(raw, model.table, options, isWanted)) {
    const rows = rowsBefore(part.firstRow + part.matrix.rows);
    for (let from = 0; from < rows.length; from += ROWS_AT_A_TIME) {
      const some = rows.slice(from, from + ROWS_AT_A_TIME);
      const reasons = reasonsOf(model, part, some, means, top);
      for (const [at, row] of some.entries()) yield { row: row + 1, logLikelihood: nats[row]!, reasons: reasons[at]! };
    }
  }
}

/** A column of a row, by its place among those that are explained, before its odds are known. */
interface Surprise {
  readonly at: number;
  readonly index: number;
  readonly excess: number;
}

/** Of each row, the most surprising columns first. The odds of a column are worked out for all rows that name it at once. */
function reasonsOf(
  model: TabularModel,
  part: EncodedPart,
  rows: readonly number[],
  means: Float64Array,
  top: number,
): Reason[][] {
  const { variables, table } = model;
  const ofPart = rows.map((row) => row - part.firstRow);
  const matrix = part.matrix.selectRows(ofPart);
  const cells = model.cellLogLikelihoods(matrix);
  const surprises = ofPart.map((row, at) => {
    if (isIncomplete(model, part, row)) return [];
    const excess = Array.from(means, (mean, index) => {
      return mean - (cells[at * variables + index]! + part.logDensity[row * variables + index]!);
    });
    return [...excess.keys()]
      .filter((index) => !Number.isNaN(excess[index]!))
      .sort((a, b) => excess[b]! - excess[a]! || a - b)
      .slice(0, top)
      .map((index): Surprise => ({ at, index, excess: excess[index]! }));
  });
  const byVariable = new Map<number, Surprise[]>();
  for (const surprise of surprises.flat()) {
    const named = byVariable.get(surprise.index);
    if (named === undefined) byVariable.set(surprise.index, [surprise]);
    else named.push(surprise);
  }
  const reasons = surprises.map((ofRow) => new Array<Reason>(ofRow.length));
  for (const [index, named] of byVariable) {
    const variable = table.variables[index]!;
    const codes = codeCount(variable);
    const those = matrix.selectRows(named.map(({ at }) => at));
    const odds = model.distributionOf(index, those);
    named.forEach((surprise, i) => {
      const { at, excess } = surprise;
      const probabilities = odds.subarray(i * codes, (i + 1) * codes);
      reasons[at]![surprises[at]!.indexOf(surprise)] = {
        column: variable.name,
        value: part.text(ofPart[at]!, index),
        probability: probabilities[model.codeOf(those, i, index)]!,
        expected: expectedWords(variable, probabilities),
        surprise: excess,
      };
    });
  }
  return reasons;
}

function isIncomplete(model: TabularModel, { known }: EncodedPart, row: number): boolean {
  return known !== null && model.table.variables.some((_, index) => known.get(row, model.offsets[index]!) === 0);
}

export function wordsOfRow({ row, logLikelihood, reasons }: OddRow): string {
  const said = reasons.map(({ column, value, probability, expected }) =>
    harmlessLine(`${column} is ${value ?? 'missing'} (${percent(probability)}; expected ${expected})`),
  );
  return `row ${String(row)}: ${figure(logLikelihood)} nats${said.map((reason) => `; ${reason}`).join('')}`;
}

/** A probability as a percentage of two or three digits. */
export function percent(probability: number): string {
  const share = 100 * probability;
  return share >= 0.1 ? `${share.toFixed(1)} %` : share === 0 ? '0 %' : `${share.toExponential(0)} %`;
}
