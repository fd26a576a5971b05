import { encodeParts, type EncodedPart, type RawTable } from '@orchard/dataset';
import { anomalyScores } from '../anomalies/anomaly-score.js';
import { rowSurprises } from '../anomalies/row-surprises.js';
import { unusualCells } from '../anomalies/unusual-cells.js';
import type { TabularModel } from '../tables/tabular-model.js';
import type { ExplainRows, RowScores, Scorers, UnusualCell } from './outlier.js';

const options = { withDensities: true, mayBeUnknown: true } as const;

/**
 * Scores each row of a table by its model, beside what is usual of the rows that the model samples: one pass over the
 * file.
 *
 * @param rows of the file
 */
export async function scoreTableRows(
  raw: RawTable,
  { models, modelOf }: Scorers<TabularModel>,
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
      const found = anomalyScores(model, rowSurprises(model, own, 'value'));
      const codeNats = model.logLikelihood(own.matrix);
      numbers.forEach((row, place) => {
        const densities = own.logDensity.subarray(place * variables, (place + 1) * variables);
        logLikelihoods[part.firstRow + row] = densities.reduce((sum, nats) => sum + nats, codeNats[place]!);
        scores[part.firstRow + row] = found[place]!;
      });
    }
  }
  return { scores, logLikelihoods };
}

/** Explains rows of a table by their models: one more pass over the file. */
export function explainTableRows(
  raw: RawTable,
  { models, modelOf }: Scorers<TabularModel>,
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
        cells[at] = unusualCells(models[modelOf(number)]!, part, row, { top, missing }).map(({ index, ...cell }) => {
          return { column: table.variables[index]!.name, value: part.text(row, index), ...cell };
        });
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
    for (let index = 0; index < variables; index++)
      if (part.misfits.has(row * variables + index)) misfits.add(place * variables + index);
  });
  return {
    matrix: part.matrix.selectRows(numbers),
    known: part.known?.selectRows(numbers) ?? null,
    logDensity,
    misfits,
  };
}
