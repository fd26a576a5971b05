import { encodeParts, type RawTable } from '@orchard/dataset';
import type { TabularModel } from '@orchard/model';
import type { Terminal } from '../output/terminal.js';
import { refuseNoRows, sayUnseen } from './load-table-rows.js';
import { scoreTable } from './table-scores.js';

/** How likely the rows of a file are. Of each row it keeps one number. */
export interface FileScores {
  readonly model: TabularModel;
  readonly raw: RawTable;
  /** What a hole means. */
  readonly missing: 'value' | 'unknown';
  /** Nats of each row, masses and densities together; what is unknown is integrated out. */
  readonly nats: Float64Array;
  /** The part of the mean that comes of densities: it depends on the columns' units. */
  readonly densityMean: number;
  /** Mean nats of each variable over the rows without unknown values; NaN where there is none. */
  readonly means: Float64Array;
  /** Rows with unknown values. */
  readonly incomplete: number;
  /** The greatest standard error of what was integrated out. */
  readonly greatestError: number;
}

/** Scores a file in one pass, a part at a time. @param seed of what is drawn to integrate out: seed + i for part i */
export async function scoreFile(
  model: TabularModel,
  raw: RawTable,
  missing: 'value' | 'unknown',
  seed: number,
  terminal: Terminal,
): Promise<FileScores> {
  const { variables } = model;
  const ofParts: Float64Array[] = [];
  const sums = new Float64Array(variables);
  const unseen = new Uint32Array(variables);
  let [rows, incomplete, densities, greatestError] = [0, 0, 0, 0];
  for await (const part of encodeParts(raw, model.table, { missing, withDensities: true, mayBeUnknown: true })) {
    const scores = scoreTable(model, part, seed + ofParts.length);
    ofParts.push(scores.nats);
    rows += scores.nats.length;
    incomplete += scores.incomplete;
    part.unseen.forEach((count, index) => (unseen[index]! += count));
    for (const nats of scores.densityNats) densities += nats;
    for (const error of scores.errors) greatestError = Math.max(greatestError, error);
    scores.cells.forEach((nats, at) => {
      if (!Number.isNaN(nats)) sums[at % variables]! += nats;
    });
  }
  if (rows === 0) refuseNoRows(raw);
  sayUnseen(unseen, model, terminal);
  const nats = new Float64Array(rows);
  let first = 0;
  for (const part of ofParts) {
    nats.set(part, first);
    first += part.length;
  }
  const means = sums.map((sum) => sum / (rows - incomplete));
  return { model, raw, missing, nats, densityMean: densities / rows, means, incomplete, greatestError };
}
