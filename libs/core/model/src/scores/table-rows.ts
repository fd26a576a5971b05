import { encodeParts, type EncodedPart, type RawTable } from '@orchard/dataset';
import { anomalyScores } from '../anomalies/anomaly-score.js';
import { rowSurprises, type ScoredRows } from '../anomalies/row-surprises.js';
import { logLikelihoodGiven, scoresGiven, type GivenColumns } from '../anomalies/scores-given.js';
import { unusualCells } from '../anomalies/unusual-cells.js';
import type { TabularModel } from '../tables/tabular-model.js';
import { natsOfRows } from './nats-of-rows.js';
import type { ExplainRows, RowScores, Scorers, UnusualCell } from './outlier.js';

const options = { withDensities: true, mayBeUnknown: true } as const;

/**
 * Scores each row of a table by its model, beside what is usual of the rows that the model samples, or of the row's
 * group where columns are given: one pass over the file.
 *
 * @param rows of the file
 */
export async function scoreTableRows(
  raw: RawTable,
  { models, modelOf, given = null }: Scorers,
  rows: number,
): Promise<RowScores> {
  const { variables, table } = models[0]!;
  const scores = new Float64Array(rows);
  const logLikelihoods = new Float64Array(rows);
  for await (const part of encodeParts(raw, table, { ...options, missing: 'value' })) {
    for (const [at, model] of models.entries()) {
      const numbers = Array.from({ length: part.matrix.rows }, (_, row) => row).filter(
        (row) => modelOf(part.firstRow + row) === at,
      );
      if (numbers.length === 0) continue;
      const own = rowsOf(part, numbers, variables);
      const found = given === null ? scoresOfAll(model, own) : scoresGivenColumns(model, own, given);
      numbers.forEach((row, place) => {
        logLikelihoods[part.firstRow + row] = found.logLikelihoods[place]!;
        scores[part.firstRow + row] = found.scores[place]!;
      });
    }
  }
  return { scores, logLikelihoods };
}

function scoresOfAll(model: TabularModel, rows: ScoredRows): RowScores {
  const { variables } = model;
  const { nats, cells } = natsOfRows(model, rows.matrix);
  const logLikelihoods = nats.map((ofCodes, row) =>
    rows.logDensity.subarray(row * variables, (row + 1) * variables).reduce((sum, density) => sum + density, ofCodes),
  );
  return { scores: anomalyScores(model, rowSurprises(model, rows, 'value', cells)), logLikelihoods };
}

function scoresGivenColumns(model: TabularModel, rows: ScoredRows, given: GivenColumns): RowScores {
  const cells = model.cellLogLikelihoods(rows.matrix);
  return {
    scores: scoresGiven(model, rows, given),
    logLikelihoods: logLikelihoodGiven(model, { cells, logDensity: rows.logDensity }, given),
  };
}

/** Explains rows of a table by their models: one more pass over the file. */
export function explainTableRows(
  raw: RawTable,
  { models, modelOf, given = null }: Scorers,
  missing: 'value' | 'unknown' = 'value',
): ExplainRows {
  const { table } = models[0]!;
  return async (wanted, top) => {
    const place = new Map(wanted.map((row, at) => [row, at]));
    const cells = new Array<UnusualCell[]>(wanted.length);
    const isWanted = (from: number, to: number): boolean => wanted.some((row) => row >= from && row < to);
    for await (const part of encodeParts(raw, table, { ...options, missing }, isWanted)) {
      for (let row = 0; row < part.matrix.rows; row++) {
        const number = part.firstRow + row;
        const at = place.get(number);
        if (at === undefined) continue;
        cells[at] = unusualCells(models[modelOf(number)]!, part, row, { top, missing, given }).map(
          ({ index, ...cell }) => {
            return { column: table.variables[index]!.name, value: part.text(row, index), ...cell };
          },
        );
      }
    }
    return cells;
  };
}

/** Some rows of a part as rows of their own. */
function rowsOf(part: EncodedPart, numbers: readonly number[], variables: number) {
  const logDensity = new Float64Array(numbers.length * variables);
  const misfits = new Set<number>();
  numbers.forEach((row, place) => {
    logDensity.set(part.logDensity.subarray(row * variables, (row + 1) * variables), place * variables);
    for (let index = 0; part.misfits.size > 0 && index < variables; index++)
      if (part.misfits.has(row * variables + index)) misfits.add(place * variables + index);
  });
  return {
    matrix: part.matrix.selectRows(numbers),
    known: part.known?.selectRows(numbers) ?? null,
    logDensity,
    misfits,
  };
}
