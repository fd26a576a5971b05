import { rowsAtATime } from '@orchard/analysis';
import type { Variable } from '@orchard/contracts';
import { codeCount, holeCode, otherCode, wordsOf } from '@orchard/dataset';
import { isExactOfTable, usualParticles, type Completion, type TabularModel } from '@orchard/model';
import { count } from '../../output/figures.js';
import type { TextColumn } from '../../output/table-file.js';
import type { Answering, Given } from './answering.js';
import type { RowsToAnswer } from './rows-to-complete.js';
import { Trust } from './trust.js';

/** Completions of each row for the distribution of its missing values. */
const DRAWS_FOR_PROBABILITIES = 200;

/** What each missing value may be, and how probable each is: a line for each. */
export function probabilitiesOf({ model, options, wantsDocument }: Given): Answering {
  const draws = DRAWS_FOR_PROBABILITIES;
  const atATime = rowsAtATime(model, draws, true);
  if (isExactOfTable(model)) {
    let all = 0;
    return {
      rowsAtATime: atATime,
      answer: (rows) => {
        const { probabilities: shares, logEvidence } = model.distributions(rows.matrix, rows.known);
        all += logEvidence.length;
        const columns = exactProbabilities(model, rows, shares);
        return { columns, ofRows: wantsDocument ? { logEvidence: [...logEvidence] } : {} };
      },
      said: () => ({ how: 'exactly', warning: undefined, document: { exactRows: all, logEvidence: [] } }),
    };
  }
  const { seed, samples = usualParticles(model) } = options;
  const trust = new Trust(samples);
  return {
    rowsAtATime: atATime,
    answer: (rows) => {
      const { matrix, known, firstRow } = rows;
      const completions = model.completions(matrix, known, { seed, samples, draws, firstRow, forCells: true });
      trust.add(completions[0]!);
      return { columns: drawnProbabilities(model, rows, completions), ofRows: {} };
    },
    said: () => {
      const { how, ...rest } = trust.said({ draws, seed, samples });
      return { how: `by ${count(draws)} samples: ${how}`, ...rest };
    },
  };
}

/** What each missing value may be: all values that training had, the more probable first. */
function exactProbabilities(
  model: TabularModel,
  { missing, firstRow }: RowsToAnswer,
  shares: readonly Float64Array[],
): TextColumn[] {
  return probabilityColumns(
    missing.flatMap(({ row, index }) => {
      const variable = model.table.variables[index]!;
      const codes = codeCount(variable);
      const own = shares[index]!.subarray(row * codes, (row + 1) * codes);
      return valuesByShare(variable, own).map((code) => [
        ...[String(firstRow + row + 1), variable.name, wordsOf(variable, code)],
        own[code]!.toPrecision(6),
      ]);
    }),
  );
}

/** What each missing value may be, by how often it was drawn. */
function drawnProbabilities(
  model: TabularModel,
  { missing, firstRow }: RowsToAnswer,
  completions: readonly Completion[],
): TextColumn[] {
  return probabilityColumns(
    missing.flatMap(({ row, index }) => {
      const variable = model.table.variables[index]!;
      const counts = new Float64Array(codeCount(variable));
      for (const { matrix } of completions) counts[model.codeOf(matrix, row, index)]!++;
      return valuesByShare(variable, counts)
        .filter((code) => counts[code]! > 0)
        .map((code) => [
          ...[String(firstRow + row + 1), variable.name, wordsOf(variable, code)],
          (counts[code]! / completions.length).toFixed(3),
        ]);
    }),
  );
}

/** The codes of values, the more frequent first. */
function valuesByShare(variable: Variable, shares: Float64Array): number[] {
  return [...shares.keys()]
    .filter((code) => code !== holeCode(variable) && code !== otherCode(variable))
    .sort((a, b) => shares[b]! - shares[a]! || a - b);
}

function probabilityColumns(lines: readonly (readonly string[])[]): TextColumn[] {
  return ['row', 'column', 'value', 'probability'].map((name, at) => ({ name, texts: lines.map((line) => line[at]!) }));
}
