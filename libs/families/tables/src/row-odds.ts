import { BitMatrix } from '@orchard/dataset';
import { areWalked, clampOdds, createTreeShape, Evaluator, linkTree, type Ensemble } from '@orchard/model';
import { oncePer } from '@orchard/numerics';

/** Predictor bits, one row each. */
export type PredictorRows = Pick<BitMatrix, 'bytes' | 'stride' | 'dimensions'>;

/**
 * Odds of some rows of a bit matrix under an ensemble, whichever rows they are: decisions are made on those that reach
 * them. The factors of a row are multiplied in the order of the trees, so its bits do not depend on the rows beside it.
 */
export class RowOdds {
  readonly #evaluator = new Evaluator();

  /**
   * @param rows which of them
   * @param out odds by place in `rows`
   */
  odds(ensemble: Ensemble, bits: PredictorRows, rows: Uint32Array, out: Float64Array): void {
    if (areWalked(ensemble, rows.length)) walkRows(ensemble, bits, rows, out);
    else this.#byColumns(ensemble, bits, rows, out);
  }

  #byColumns(ensemble: Ensemble, bits: PredictorRows, rows: Uint32Array, out: Float64Array): void {
    const { words, predictors, renumbered } = splitsOf(ensemble);
    if (predictors.length === 0) {
      walkRows(ensemble, bits, rows, out);
      return;
    }
    const gathered = BitMatrix.create(rows.length, 32 * words.length);
    const [source, target] = [wordsOf(bits), wordsOf(gathered)];
    const [stride, width] = [bits.stride >> 2, gathered.stride >> 2];
    for (let place = 0; place < rows.length; place++) {
      const [from, to] = [rows[place]! * stride, place * width];
      for (let word = 0; word < words.length; word++) target[to + word] = source[from + words[word]!]!;
    }
    const columns = this.#evaluator.transposed(gathered, predictors, 0, rows.length, inOrder(rows.length));
    this.#evaluator.odds(renumbered, columns, rows.length, out);
  }
}

/** What an ensemble reads of a row: most have splits on a few of its predictors. */
interface SplitsOf {
  /** Words of 32 predictors in which it has splits, ascending. */
  readonly words: Uint32Array;
  /** The predictors on which it splits, ascending, by place in these words. */
  readonly predictors: Uint32Array;
  /** The ensemble with the places of its predictors among these in their stead. */
  readonly renumbered: Ensemble;
}

const splitsOf = oncePer((ensemble: Ensemble): SplitsOf => {
  const used = Uint32Array.from(new Set(ensemble.splitPredictor)).sort();
  const words = Uint32Array.from(new Set(used.map((predictor) => predictor >> 5)));
  const placeOf = new Map(Array.from(used, (predictor, place) => [predictor, place]));
  const wordOf = new Map(Array.from(words, (word, place) => [word, place]));
  return {
    words,
    predictors: used.map((predictor) => 32 * wordOf.get(predictor >> 5)! + (predictor & 31)),
    renumbered: { ...ensemble, splitPredictor: ensemble.splitPredictor.map((predictor) => placeOf.get(predictor)!) },
  };
});

/** Rows begin at multiples of 8 bytes. */
function wordsOf({ bytes }: PredictorRows): Uint32Array {
  return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

function inOrder(count: number): Uint32Array {
  const numbers = new Uint32Array(count);
  for (let index = 0; index < count; index++) numbers[index] = index;
  return numbers;
}

function walkRows(ensemble: Ensemble, { bytes, stride }: PredictorRows, rows: Uint32Array, out: Float64Array): void {
  const { startOdds, leafCounts, splitPredictor, leafFactor } = ensemble;
  const mostLeaves = leafCounts.reduce((most, leaves) => Math.max(most, leaves), 1);
  const shape = createTreeShape(mostLeaves);
  const slots = new Int32Array(mostLeaves);
  out.fill(startOdds, 0, rows.length);
  let firstSplit = 0;
  let firstLeaf = 0;
  for (const leaves of leafCounts) {
    linkTree(shape, ensemble, firstSplit, leaves, slots);
    for (let place = 0; place < rows.length; place++) {
      const start = rows[place]! * stride;
      let node = leaves === 1 ? -1 : 0;
      while (node >= 0) {
        const predictor = splitPredictor[firstSplit + node]!;
        const isOne = (bytes[start + (predictor >> 3)]! & (0x80 >> (predictor & 7))) !== 0;
        node = (isOne ? shape.one : shape.zero)[node]!;
      }
      out[place] = clampOdds(out[place]! * leafFactor[firstLeaf + ~node]!);
    }
    firstSplit += leaves - 1;
    firstLeaf += leaves;
  }
}
