import {
  codeOffsets,
  logRatesOfOthers,
  meanLogDensities,
  ownLogRates,
  readCodes,
  type BitMatrix,
} from '@orchard/dataset';
import { log } from '@orchard/numerics';

/**
 * Mean nats per row under columns that stand alone, with the rates of the training rows; a training row is judged by
 * those of the others.
 */
export function independentLogLikelihood(train: BitMatrix, rows: BitMatrix): number {
  const { table } = train.columns;
  if (table === undefined) return ofBits(train, rows);
  const densities = meanLogDensities(rows);
  const offsets = codeOffsets(table);
  let sum = 0;
  table.variables.forEach((variable, index) => {
    const rates = rows === train ? logRatesOfOthers(variable) : ownLogRates(variable);
    let nats = 0;
    for (const code of readCodes(rows, offsets[index]!, offsets[index + 1]!)) nats += rates[code]!;
    sum += nats / rows.rows + densities[index]!;
  });
  return sum;
}

function ofBits(train: BitMatrix, rows: BitMatrix): number {
  const [before, now] = [train.columnCounts(), rows.columnCounts()];
  const self = rows === train ? 1 : 0;
  let sum = 0;
  before.forEach((ones, column) => {
    const zeros = train.rows - ones;
    const own = now[column]!;
    // what no row has takes no part
    if (own > 0) sum += own * log((ones + 0.5 - self) / (train.rows + 1 - self));
    if (own < rows.rows) sum += (rows.rows - own) * log((zeros + 0.5 - self) / (train.rows + 1 - self));
  });
  return sum / rows.rows;
}
