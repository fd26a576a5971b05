import { parseContract, seedSchema } from '@orchard/contracts';
import { valuesOf } from '@orchard/dataset';
import {
  isTabular,
  PARTICLES_OF_TABLES,
  toValues,
  type Completion,
  type DensityModel,
  type TabularModel,
} from '@orchard/model';
import { z } from 'zod';
import { fillBits } from '../../fills/fill-bits.js';
import { drawsFor, points, type FilledCell, type FillOptions } from '../../fills/fill-options.js';
import { fillTable } from '../../fills/fill-table.js';
import { asBitRows, bitsOf, columnsOf, rowsSchema, type BitRowsDocument, type TableRowsDocument } from '../rows.js';
import { encodedRows } from './encoded-rows.js';
import type { Operation } from './operation.js';

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
/**
 * Rows with their missing values filled in: `rows` has one document for each completion, or one of points, with `low`
 * and `high` around them. Draw d of a seed is the one that `orchard complete --seed` makes of seed + d.
 */
export const complete: Operation = async (model, question) => {
  const asked = parseContract(questionSchema, question, 'complete question');
  if (!isTabular(model)) return completeBits(model, asked);
  const { seed, samples = PARTICLES_OF_TABLES, interval, draws = 1 } = asked;
  const encoded = await encodedRows(model, asked.rows, 'unknown');
  const { matrix, known, logDensity, values } = encoded;
  const textsOf = (one: Completion, draw: number): (string | null)[][] =>
    valuesOf(one.matrix, model.table, seed + draw, new Map(), values);
  let filled: object;
  let trust: ReturnType<typeof trustOf>;
  if (wantsPoints(asked)) {
    const { cells, completion } = fillTable(model, encoded, pointOptions(asked, samples));
    const texts = textsOf(completion, 0);
    const rows = [rowsWith(model, texts, cells, ({ value }) => value)];
    filled = { rows };
    if (interval !== undefined)
      filled = {
        rows,
        low: rowsWith(model, texts, cells, ({ low, value }) => low ?? value),
        high: rowsWith(model, texts, cells, ({ high, value }) => high ?? value),
      };
    trust = trustOf(completion);
  } else {
    const completions = model.completions(matrix, known, { seed, samples, draws });
    const count = matrix.rows;
    filled = { rows: completions.map((one, draw) => ({ count, columns: columnsOf(textsOf(one, draw), model.table) })) };
    trust = trustOf(completions[0]!);
  }
  // densities of known values belong to what is known
  trust.logEvidence.forEach((_, row) => {
    for (let index = 0; index < model.variables; index++)
      trust.logEvidence[row]! += logDensity[row * model.variables + index]!;
  });
  return { ...filled, ...trust, said: encoded.said };
};

type Asked = z.infer<typeof questionSchema>;

function wantsPoints({ point, interval }: Asked): boolean {
  return point !== undefined || interval !== undefined;
}

function pointOptions({ seed, point = 'median', interval, draws }: Asked, samples: number): FillOptions {
  return { seed, samples, draws: drawsFor(interval, draws), point, interval };
}

/** The rows with something of each missing cell in its place. */
function rowsWith(
  model: TabularModel,
  texts: readonly (readonly (string | null)[])[],
  cells: readonly FilledCell[],
  textOf: (cell: FilledCell) => string,
): TableRowsDocument {
  const own = texts.map((column) => [...column]);
  for (const cell of cells) own[cell.index]![cell.row] = textOf(cell);
  return { count: own[0]?.length ?? 0, columns: columnsOf(own, model.table) };
}

function completeBits(model: DensityModel, asked: Asked): ReturnType<Operation> {
  const { seed, samples = PARTICLES_OF_BITS, draws = 1 } = asked;
  const rows = asBitRows(asked.rows);
  const { values, known } = bitsOf(rows, model);
  const { count } = rows;
  if (wantsPoints(asked)) {
    const { cells, matrix, completion } = fillBits(model, values, known, pointOptions(asked, samples));
    const bitsWith = (end: 'low' | 'high'): BitRowsDocument => {
      const own = Uint8Array.from(toValues(matrix));
      for (const cell of cells) own[cell.row * model.dimensions + cell.index] = Number(cell[end]);
      return { count, bits: own };
    };
    return {
      rows: [{ count, bits: toValues(matrix) }],
      ...(asked.interval !== undefined && { low: bitsWith('low'), high: bitsWith('high') }),
      ...trustOf(completion),
    };
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
