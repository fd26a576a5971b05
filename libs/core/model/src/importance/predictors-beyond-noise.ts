import { evenlySpaced, type BitMatrix } from '@orchard/dataset';
import { Purpose, RandomStream, exp, log } from '@orchard/numerics';
import { NOISE_CHANCE } from '../network/held-out-gain.js';
import { checkWhole } from '../port/arguments.js';
import type { DensityModel } from '../port/density-model.js';
import { asTabular } from '../tables/binary-columns.js';
import { cellsHere, type AskedCells, type CellsInTurn } from '../tables/cells-in-turn.js';

/** How often each predictor's values are dealt to other rows. */
const SHUFFLES = 8;
/** Log-probabilities of cells that are asked of the model: minutes for slow models, a second for most. */
const MOST_CELLS = 2 ** 25;
/** Fewer rows than this decide too little to be worth the time that they take. */
const FEWEST_ROWS = 100;
/** Rows that decide first, a part of all; most predictors need no more. */
const FIRST_ROWS = 256;
/** A ratio of likelihoods that counts as infinite, so that sums stay finite. */
const MOST_RATIO = 1e300;

/** A column, and a column that has a share in what the model knows of it. */
export interface PredictedBy {
  readonly column: number;
  readonly predictor: number;
}

/**
 * Which predictors help on rows that the model was not trained on.
 *
 * A predictor's values are dealt anew to the rows, `SHUFFLES` times, and each time the model says how probable the
 * predicted column is. Where the predictor is noise, which goes with nothing else in a row, its own value is one more
 * deal: so the ratio of the likelihood by the own value to the mean of all `SHUFFLES` + 1 has the expectation 1 in
 * every row, whatever the model is. The product over the rows has it too, and exceeds 1 / chance, after whichever row,
 * with at most that chance (Ville). So a part of the rows is asked first, twice as many next, and no more of a pair
 * that has reached it, or that would have to do better by two standard errors to reach it with all rows. The chance is
 * shared by all pairs that are tested, and by the models among which these rows chose.
 * A mean against its standard error would not do, for the reason that {@link HeldOutGains} states.
 *
 * A predictor that says nothing of the column by itself, but goes with one that does, stands in for it: that is help.
 */
export interface JudgedPredictors {
  /** Held-out rows that decided, at most: of a pair that was decided early a part of them. */
  readonly rows: number;
  /** log of the product, nats, of each pair in the order given, over the rows that were asked of it. */
  readonly evidence: Float64Array;
  /** What the evidence has to reach. */
  readonly needed: number;
  /** 1 where it does. */
  readonly beyondNoise: Uint8Array;
}

/** Models among which validation rows may have chosen: numbers of trees times sizes of trees, or penalties. */
export const VALIDATION_CHOICES = 10_000;

/** How predictors are judged. */
export interface JudgeOptions {
  /** How many models these rows have chosen the one among. @default 1: they chose nothing */
  readonly chosenOf?: number;
  /** Who answers for the model. @default this thread */
  readonly cells?: CellsInTurn | undefined;
  /** @param share of what is asked at most, 0 to 1 */
  readonly onProgress?: ((share: number) => void) | undefined;
}

/**
 * Judges pairs by held-out rows, all of them or as many, evenly spaced, as time allows.
 *
 * @returns null where there are no rows, so many columns that only few rows could be asked, or a model whose likelihood
 *   has no share for each column
 */
export async function judgePredictors(
  model: DensityModel,
  heldOut: BitMatrix,
  pairs: readonly PredictedBy[],
  { chosenOf = 1, cells = cellsHere(asTabular(model)), onProgress }: JudgeOptions = {},
): Promise<JudgedPredictors | null> {
  checkWhole('chosenOf', chosenOf, 1, 2 ** 31);
  const needed = log((Math.max(1, pairs.length) * chosenOf) / NOISE_CHANCE);
  const rows = asManyRows(heldOut, columnCount(model), placesOf(pairs).size);
  if (rows === null) return null;
  const evidence = new Float64Array(pairs.length);
  const squares = new Float64Array(pairs.length);
  let open = [...pairs.keys()];
  let seen = 0;
  for (const part of partsOf(rows)) {
    if (open.length === 0) break;
    const before = seen;
    const logs = await evidenceOfRows(
      model,
      part,
      open.map((pair) => pairs[pair]!),
      { cells, onProgress: (share) => onProgress?.((before + share * part.rows) / rows.rows) },
    );
    if (logs === null) return null;
    seen += part.rows;
    open = open.filter((pair, at) => {
      for (const nats of logs[at]!) {
        evidence[pair]! += nats;
        squares[pair]! += nats * nats;
      }
      const mean = evidence[pair]! / seen;
      const error = Math.sqrt(Math.max(0, squares[pair]! / seen - mean * mean) / seen);
      return evidence[pair]! < needed && (mean + 2 * error) * rows.rows >= needed;
    });
  }
  return {
    rows: rows.rows,
    evidence,
    needed,
    beyondNoise: Uint8Array.from(evidence, (nats) => (nats >= needed ? 1 : 0)),
  };
}

/** The rows in parts, each about twice the one before, and each spread over all of them. */
function* partsOf(rows: BitMatrix): Iterable<BitMatrix> {
  let step = 1;
  while (rows.rows >= 2 * step * FIRST_ROWS) step *= 2;
  const every = (first: number, by: number): BitMatrix =>
    rows.selectRows(Array.from({ length: Math.ceil((rows.rows - first) / by) }, (_, at) => first + at * by));
  yield every(0, step);
  for (; step > 1; step /= 2) yield every(step / 2, step);
}

/**
 * The logs of the ratios of each pair, of each row.
 *
 * @returns null of a model whose likelihood has no share for each column
 */
async function evidenceOfRows(
  model: DensityModel,
  rows: BitMatrix,
  pairs: readonly PredictedBy[],
  { cells, onProgress }: { readonly cells: CellsInTurn; readonly onProgress: (share: number) => void },
): Promise<readonly Float64Array[] | null> {
  const predicted = columnsOf(pairs);
  const predictors = Array.from(placesOf(pairs), ([predictor, of]) => ({
    predictor,
    of,
    columns: columnsOf(of.map((pair) => pairs[pair]!)),
  }));
  const asked = function* (): Generator<AskedCells, void> {
    yield { deals: [rows], of: predicted };
    for (const { predictor, columns } of predictors) {
      const deals = Array.from({ length: SHUFFLES }, (_, deal) =>
        withShuffled(rows, bitsOf(model, predictor), predictor, deal),
      );
      yield { deals, dealt: predictor, of: columns };
    }
  };
  const ratios = pairs.map(() => new Float64Array(rows.rows).fill(1));
  let own: Float64Array | null = null;
  let answered = 0;
  for await (const logs of cells(asked(), rows.rows * (1 + SHUFFLES * predictors.length))) {
    if (logs.length === 0) return null;
    if (own === null) {
      own = logs;
      continue;
    }
    const { of, columns } = predictors[answered]!;
    for (const pair of of) {
      const { column } = pairs[pair]!;
      const wide = { logs: own, width: predicted.length, place: predicted.indexOf(column) };
      for (let deal = 0; deal < SHUFFLES; deal++) {
        const place = deal * columns.length + columns.indexOf(column);
        addRatios(ratios[pair]!, wide, { logs, width: SHUFFLES * columns.length, place });
      }
    }
    answered++;
    onProgress(answered / predictors.length);
  }
  return ratios.map((sums) => sums.map((sum) => log((SHUFFLES + 1) / sum)));
}

/** Cells of rows, and where in them those of one column are. */
interface CellsOfColumn {
  readonly logs: Float64Array;
  /** Cells of a row. */
  readonly width: number;
  readonly place: number;
}

/** Adds to each row how much likelier its value of the column is by the predictor's dealt value than by its own. */
function addRatios(sums: Float64Array, own: CellsOfColumn, shuffled: CellsOfColumn): void {
  for (let row = 0; row < sums.length; row++) {
    const lost = own.logs[row * own.width + own.place]! - shuffled.logs[row * shuffled.width + shuffled.place]!;
    sums[row] = Math.min(MOST_RATIO, sums[row]! + (Number.isNaN(lost) ? 1 : exp(-lost)));
  }
}

function columnsOf(pairs: readonly PredictedBy[]): number[] {
  return [...new Set(pairs.map(({ column }) => column))];
}

/** The pairs of each predictor, by their places. */
function placesOf(pairs: readonly PredictedBy[]): Map<number, number[]> {
  const places = new Map<number, number[]>();
  pairs.forEach(({ predictor }, place) => {
    const own = places.get(predictor);
    if (own === undefined) places.set(predictor, [place]);
    else own.push(place);
  });
  return places;
}

/** As many rows, evenly spaced, as the model can be asked about; null where that is too few. */
function asManyRows(heldOut: BitMatrix, columns: number, predictors: number): BitMatrix | null {
  if (heldOut.rows === 0) return null;
  const most = Math.floor(MOST_CELLS / (columns * (1 + SHUFFLES * predictors)));
  return most < FEWEST_ROWS && most < heldOut.rows ? null : evenlySpaced(heldOut, most);
}

/** The rows with the bits of one column dealt to other rows. */
function withShuffled(rows: BitMatrix, [from, to]: readonly [number, number], column: number, deal: number): BitMatrix {
  const order = Uint32Array.from({ length: rows.rows }, (_, row) => row);
  const stream = new RandomStream(column * SHUFFLES + deal, Purpose.shuffle);
  for (let row = rows.rows - 1; row > 0; row--) {
    const other = stream.below(row + 1);
    const kept = order[row]!;
    order[row] = order[other]!;
    order[other] = kept;
  }
  const shuffled = rows.selectRows(Uint32Array.from({ length: rows.rows }, (_, row) => row));
  for (let row = 0; row < rows.rows; row++)
    for (let bit = from; bit < to; bit++) shuffled.set(row, bit, rows.get(order[row]!, bit));
  return shuffled;
}

function columnCount(model: DensityModel): number {
  return asTabular(model).variables;
}

/** Where the values of a column are in a row. */
function bitsOf(model: DensityModel, column: number): readonly [number, number] {
  const { offsets } = asTabular(model);
  return [offsets[column]!, offsets[column + 1]!];
}
