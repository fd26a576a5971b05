import { parseContract, seedSchema } from '@orchard/contracts';
import { valuesOf } from '@orchard/dataset';
import { isTabular, PARTICLES_OF_TABLES, toValues, type Completion, type DensityModel } from '@orchard/model';
import { z } from 'zod';
import { asBitRows, bitsOf, columnsOf, rowsSchema } from '../rows.js';
import { encodedRows } from './encoded-rows.js';
import type { Operation } from './operation.js';
import { pointBits, pointFills, points } from './point-fills.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  seed: seedSchema.default(0),
  samples: z.int().min(1).max(65_536).optional(),
  /** Completions of each row. */
  draws: z.int().min(1).max(1000).optional(),
  /** One value for each missing one, instead of sampled values. */
  point: z.enum(points).optional(),
  /** The probability that an interval around a point holds the value. */
  interval: z.number().gt(0).lt(1).optional(),
});

/** Particles a row of rows of 0 and 1, where nothing is said. */
const PARTICLES_OF_BITS = 256;
/** Completions that a point or an interval is made of. */
const DRAWS_FOR_POINTS = 100;

/**
 * Rows with their missing values filled in: `rows` has one document for each completion, or one of points, with `low` and `high` around them.
 * Draw d of a seed is the one that `orchard complete --seed` makes of seed + d.
 */
export const complete: Operation = async (model, question) => {
  const { rows, seed, samples, point, interval, ...rest } = parseContract(
    questionSchema,
    question,
    'complete question',
  );
  const wantsPoints = point !== undefined || interval !== undefined;
  const draws = rest.draws ?? (wantsPoints ? DRAWS_FOR_POINTS : 1);
  if (!isTabular(model))
    return completeBits(model, asBitRows(rows), {
      seed,
      samples,
      draws,
      point: wantsPoints ? (point ?? 'median') : null,
    });
  const { matrix, known, logDensity } = await encodedRows(model, rows, 'unknown');
  const completions = model.completions(matrix, known, { seed, samples: samples ?? PARTICLES_OF_TABLES, draws });
  const texts = completions.map((one, draw) => valuesOf(one.matrix, model.table, seed + draw));
  const isMissing = (row: number, index: number): boolean => known.get(row, model.offsets[index]!) === 0;
  const filled = wantsPoints
    ? pointFills(model.table, texts, isMissing, point ?? 'median', interval)
    : { rows: texts.map((own) => ({ count: rows.count, columns: columnsOf(own, model.table) })) };
  const trust = trustOf(completions[0]!);
  // densities of known values belong to what is known
  trust.logEvidence.forEach((_, row) => {
    for (let index = 0; index < model.variables; index++)
      trust.logEvidence[row]! += logDensity[row * model.variables + index]!;
  });
  return { ...filled, ...trust };
};

function completeBits(
  model: DensityModel,
  rows: ReturnType<typeof asBitRows>,
  options: { seed: number; samples: number | undefined; draws: number; point: (typeof points)[number] | null },
): ReturnType<Operation> {
  const { seed, samples = PARTICLES_OF_BITS, draws, point } = options;
  const { values, known } = bitsOf(rows, model);
  const { count } = rows;
  if (point !== null) {
    const { bits, completion } = pointBits(model, values, known, { seed, samples, draws });
    return { rows: [{ count, bits }], ...trustOf(completion) };
  }
  const completions = Array.from({ length: draws }, (_, draw) =>
    model.complete(values, known, { seed: seed + draw, samples }),
  );
  return { rows: completions.map(({ matrix }) => ({ count, bits: toValues(matrix) })), ...trustOf(completions[0]!) };
}

/** How probable what is known is, and how far the values can be trusted. */
function trustOf({ logEvidence, logEvidenceError, effectiveSampleSize, exact }: Completion) {
  return { logEvidence: logEvidence.slice(), logEvidenceError, effectiveSampleSize, exact };
}
