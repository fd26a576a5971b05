import { BitMatrix } from '@orchard/dataset';
import { areWalked, clampOdds, createTreeShape, Evaluator, linkTree, type Ensemble } from '@orchard/model';

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
    const { splitPredictor } = ensemble;
    let positions = 0;
    for (const predictor of splitPredictor) if (predictor >= positions) positions = predictor + 1;
    if (positions === 0) {
      walkRows(ensemble, bits, rows, out);
      return;
    }
    const gathered = BitMatrix.create(rows.length, bits.dimensions);
    const [source, target] = [wordsOf(bits), wordsOf(gathered)];
    const stride = bits.stride >> 2;
    const looked = Math.ceil(positions / 32);
    for (let place = 0; place < rows.length; place++) {
      const [from, to] = [rows[place]! * stride, place * stride];
      for (let word = 0; word < looked; word++) target[to + word] = source[from + word]!;
    }
    const order = inOrder(rows.length);
    const columns = this.#evaluator.transposed(gathered, inOrder(positions), 0, rows.length, order, positions);
    this.#evaluator.odds(ensemble, columns, rows.length, out);
  }
}

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
