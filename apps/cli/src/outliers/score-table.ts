import { encodeParts, expectedWords, type EncodedPart, type RawTable } from '@orchard/dataset';
import { anomalyScores, cellSurprises, givenTheRest, typicalSurprises, type TabularModel } from '@orchard/model';
import { log } from '@orchard/numerics';
import type { FoldModels } from './train-folds.js';
import type { ExplainRows, RowScores, UnusualCell } from './outlier.js';

const options = { missing: 'value', withDensities: true, mayBeUnknown: true } as const;

/** Scores each row of a table by the model that did not learn from it: one pass over the file; 8 bytes a cell are kept. */
export async function scoreTableRows(raw: RawTable, { models, foldOf }: FoldModels): Promise<RowScores> {
  const tables = models as readonly TabularModel[];
  const { variables } = tables[0]!;
  const surprises = new Float64Array(foldOf.length * variables);
  const logLikelihoods = new Float64Array(foldOf.length);
  for await (const part of encodeParts(raw, tables[0]!.table, options)) {
    for (const [fold, model] of tables.entries()) {
      const rows = rowsOfFold(part, foldOf, fold);
      if (rows.length === 0) continue;
      const matrix = part.matrix.selectRows(rows);
      const logDensity = new Float64Array(rows.length * variables);
      rows.forEach((row, at) => {
        logDensity.set(part.logDensity.subarray(row * variables, (row + 1) * variables), at * variables);
      });
      const ofRows = cellSurprises(model, matrix, logDensity);
      const codeNats = model.logLikelihood(matrix);
      rows.forEach((row, at) => {
        const here = at * variables;
        const densities = logDensity.subarray(here, here + variables).reduce((sum, nats) => sum + nats, 0);
        logLikelihoods[part.firstRow + row] = codeNats[at]! + densities;
        surprises.set(ofRows.subarray(here, here + variables), (part.firstRow + row) * variables);
      });
    }
  }
  return { scores: anomalyScores(surprises, typicalSurprises(surprises, variables)), logLikelihoods };
}

/** Explains rows by the model that did not learn from them: one more pass over the file. */
export function explainTableRows(raw: RawTable, { models, foldOf }: FoldModels): ExplainRows {
  const tables = models as readonly TabularModel[];
  return async (wanted, top) => {
    const place = new Map(wanted.map((row, at) => [row, at]));
    const cells = new Array<UnusualCell[]>(wanted.length);
    const isWanted = (from: number, to: number): boolean => wanted.some((row) => row >= from && row < to);
    for await (const part of encodeParts(raw, tables[0]!.table, options, isWanted)) {
      for (let row = 0; row < part.matrix.rows; row++) {
        const at = place.get(part.firstRow + row);
        if (at !== undefined) cells[at] = unusualCells(tables[foldOf[part.firstRow + row]!]!, part, row, top);
      }
    }
    return cells;
  };
}

function rowsOfFold(part: EncodedPart, foldOf: Uint16Array, fold: number): number[] {
  const rows = Array.from({ length: part.matrix.rows }, (_, row) => row);
  return rows.filter((row) => foldOf[part.firstRow + row] === fold);
}

/**
 * The cells of one row that surprise most given all others, the most surprising first. How surprising a cell may be differs by column, so
 * that each is compared with the entropy of its own distribution, which is the mean of that surprise.
 */
function unusualCells(model: TabularModel, part: EncodedPart, row: number, top: number): UnusualCell[] {
  const matrix = part.matrix.selectRows([row]);
  const cells = model.table.variables.map((variable, index): UnusualCell => {
    const shares = givenTheRest(model, index, matrix);
    const probability = shares[model.codeOf(matrix, 0, index)]!;
    return {
      column: variable.name,
      value: part.text(row, index),
      probability,
      expected: expectedWords(variable, shares),
      surprise: -log(Math.max(probability, Number.MIN_VALUE)) - entropy(shares),
    };
  });
  return cells
    .filter(({ surprise }) => surprise > 0)
    .sort((a, b) => b.surprise - a.surprise)
    .slice(0, top);
}

function entropy(shares: Float64Array): number {
  return shares.reduce((sum, share) => (share > 0 ? sum - share * log(share) : sum), 0);
}
