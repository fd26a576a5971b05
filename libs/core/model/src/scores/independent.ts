import { codeOffsets, meanLogDensities, ownLogRates, readCodes, type BitMatrix } from '@orchard/dataset';
import { log } from '@orchard/numerics';

/** Mean nats per row under columns that stand alone, with the rates of the training rows. */
export function independentLogLikelihood(train: BitMatrix, rows: BitMatrix): number {
  const table = train.columns.table;
  if (table === undefined) return ofBits(train, rows);
  const densities = meanLogDensities(rows);
  const offsets = codeOffsets(table);
  let sum = 0;
  table.variables.forEach((variable, index) => {
    const rates = ownLogRates(variable);
    let nats = 0;
    for (const code of readCodes(rows, offsets[index]!, offsets[index + 1]!)) nats += rates[code]!;
    sum += nats / rows.rows + densities[index]!;
  });
  return sum;
}

function ofBits(train: BitMatrix, rows: BitMatrix): number {
  const [before, now] = [train.columnCounts(), rows.columnCounts()];
  let sum = 0;
  before.forEach((ones, column) => {
    const rate = (ones + 0.5) / (train.rows + 1);
    const own = now[column]!;
    sum += own * log(rate) + (rows.rows - own) * log(1 - rate);
  });
  return sum / rows.rows;
}
