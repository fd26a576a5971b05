import {
  drawsFor,
  points,
  pointsOfColumns,
  type FilledCell,
  fillTable,
  type RowsToFill,
  type TableFills,
  particlesFor,
  rowsAtATime,
  rowsBetween,
  RowFiller,
  rulesAsked,
  sampleFills,
  type Threads,
} from '@orchard/analysis';
import { parseContract, seedSchema } from '@orchard/contracts';
import { valuesOf, type Texts } from '@orchard/dataset';
import { asTabular, type Completion } from '@orchard/model';
import { ahead } from '@orchard/pipeline';
import { z } from 'zod';
import { densitiesOf, type KnownRows } from '../../known-rows.js';
import { rowsSchema, rowsWriter, type RowsWriter } from '../rows.js';
import { codedRows } from './encoded-rows.js';
import { threadsFor, threadsSchema, type Operation, type Work } from './operation.js';

const questionSchema = z.strictObject({
  rows: rowsSchema,
  seed: seedSchema.default(0),
  samples: z.int().min(1).max(65_536).optional(),
  /** Completions of each row. */
  draws: z.int().min(1).max(1000).optional(),
  /** One value for each missing one, instead of sampled values. */
  point: z.enum(points).optional(),
  /** Of single columns of a table, instead of {@link point}. */
  points: z.array(z.tuple([z.string(), z.string()])).optional(),
  /** The probability that an interval around a point holds the value. */
  interval: z.number().gt(0).lt(1).optional(),
  /** Threads that fill in. @default all cores */
  threads: threadsSchema,
  /** What holds of every row beside the rules that the model keeps; false leaves these too. */
  rules: z.union([z.array(z.string()), z.literal(false)]).optional(),
});

/**
 * Rows with their missing values filled in: `rows` has one document for each completion, or one of points, with `low`
 * and `high` around them. Draw d of a seed is the one that `orchard complete --seed` makes of seed + d.
 */
export const complete: Operation = async (network, question, work) => {
  const asked = parseContract(questionSchema, question, 'complete question');
  const model = asTabular(network);
  const rules = rulesAsked(model, asked.rules);
  const { seed, interval, draws = 1 } = asked;
  const ruled = rules?.ruled ?? null;
  const pointDraws = wantsPoints(asked) ? drawsFor(interval, asked.draws, 'draws') : 0;
  const samples = asked.samples ?? particlesFor(model, ruled, pointDraws);
  const encoded = await codedRows(model, asked.rows, { missing: 'unknown', withNumbers: rules !== null });
  const { said } = encoded;
  const count = encoded.matrix.rows;
  const trust = newTrust(count);
  const newRows = (): RowsWriter => rowsWriter(model, count);
  const filler = new RowFiller(model, rules, threadsOf(work, count, asked));
  try {
    const filled = wantsPoints(asked) ? await fillByPoints() : await fillBySamples();
    // densities of known values belong to what is known
    densitiesOf(encoded, model).forEach((nats, row) => {
      trust.logEvidence[row]! += nats;
    });
    return { ...filled, ...trust, said };
  } finally {
    await filler.close();
  }

  async function fillByPoints(): Promise<object> {
    const ofColumns = pointsOfColumns(model.table, asked.points ?? [], 'points');
    const { point = 'median' } = asked;
    const options = { seed, samples, draws: pointDraws, point, interval, points: ofColumns };
    const [points, low, high] = [newRows(), newRows(), newRows()];
    const some = someAtATime(filler, encoded, rowsAtATime(model, options.draws, true));
    const fill = async (rows: RowsToFill) => ({ rows, ...(await fillTable(filler, rows, options)) });
    for await (const { rows, cells, left, completion } of ahead(some, () => filler.width, fill)) {
      addTrust(trust, completion, rows.firstRow);
      const texts = valuesOf(completion.matrix, model.table, seed, new Map(), rows.values, rows.firstRow);
      const withCells = (textOf: (cell: FilledCell) => string): Texts =>
        textsWith(texts, { cells, left }, rows.firstRow, textOf);
      points.add(withCells(({ value }) => value));
      if (interval === undefined) continue;
      low.add(withCells(({ low: end, value }) => end ?? value));
      high.add(withCells(({ high: end, value }) => end ?? value));
    }
    if (interval === undefined) return { rows: [points.document()] };
    return { rows: [points.document()], low: low.document(), high: high.document() };
  }

  async function fillBySamples(): Promise<object> {
    const drawn = Array.from({ length: draws }, newRows);
    const some = someAtATime(filler, encoded, rowsAtATime(model, draws, false));
    const fill = async (rows: RowsToFill) => ({ rows, ...(await sampleFills(filler, rows, { seed, samples, draws })) });
    for await (const { rows, completions, textsOf } of ahead(some, () => filler.width, fill)) {
      addTrust(trust, completions[0]!, rows.firstRow);
      completions.forEach(({ matrix }, draw) => {
        if (ruled === null) drawn[draw]!.addCodes(matrix, () => textsOf(draw));
        else drawn[draw]!.add(textsOf(draw));
      });
    }
    return { rows: drawn.map((rows) => rows.document()) };
  }
};

function threadsOf(work: Work | undefined, rows: number, { threads }: Asked): Threads | null {
  const where = threadsFor(work, threads);
  if (where === null) return null;
  const stage = { stage: 'completing', state: 'filling in missing values', logLikelihood: null };
  const said = (done: number): void => work?.onProgress({ ...stage, tasks: { done, total: rows, called: 'rows' } });
  return { ...where, rows, onProgress: said };
}

/** The rows, so many at a time. */
function* someAtATime(filler: RowFiller, rows: KnownRows, most: number): Generator<RowsToFill, void> {
  const count = rows.matrix.rows;
  for (let from = 0, to = 0; from < count; from = to) {
    to = Math.min(count, from + most, from + filler.mostRows);
    yield rowsBetween({ ...rows, firstRow: 0 }, from, to, filler.model.variables);
  }
}

type Asked = z.infer<typeof questionSchema>;

function wantsPoints({ point, points: ofColumns, interval }: Asked): boolean {
  return point !== undefined || ofColumns !== undefined || interval !== undefined;
}

/** The rows with something of each missing cell in its place; nothing where it stays missing. */
function textsWith(
  texts: Texts,
  { cells, left }: Pick<TableFills, 'cells' | 'left'>,
  firstRow: number,
  textOf: (cell: FilledCell) => string,
): Texts {
  const own = texts.map((column) => [...column]);
  for (const cell of cells) own[cell.index]![cell.row - firstRow] = textOf(cell);
  for (const { row, index } of left) own[index]![row - firstRow] = null;
  return own;
}

/** How probable what is known is, and how far the values can be trusted. */
type Trust = Omit<Completion, 'matrix'>;

function newTrust(rows: number): Trust {
  return {
    logEvidence: new Float64Array(rows),
    logEvidenceError: new Float64Array(rows),
    effectiveSampleSize: new Float64Array(rows),
    exact: new Uint8Array(rows),
  };
}

/** That of some rows. */
function addTrust(trust: Trust, completion: Completion, firstRow: number): void {
  trust.logEvidence.set(completion.logEvidence, firstRow);
  trust.logEvidenceError.set(completion.logEvidenceError, firstRow);
  trust.effectiveSampleSize.set(completion.effectiveSampleSize, firstRow);
  trust.exact.set(completion.exact, firstRow);
}
