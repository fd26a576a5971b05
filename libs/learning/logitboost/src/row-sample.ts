import { predictorsOf, Split, type Target, type TrainingData } from '@orchard/kernel';
import { philox4x32, Purpose } from '@orchard/numerics';

/**
 * Draws the rows that one tree grows on, so many of those that there are: rows lie in a circle, in their sorted order,
 * which is cut into as many stretches of equal length (give or take one), from a random row on; of each stretch one row
 * is drawn. So every row is as likely as any other, none is drawn twice, and rows that are alike, which lie together,
 * are as frequent among the drawn ones as among all. A function of (seed, position, round) and the rows alone: the same
 * on every thread and machine, and after a restart.
 */
export class RowSample {
  readonly #drawn: Uint32Array;
  readonly #block = new Uint32Array(4);
  #drawnBlock = -1;

  /** @param rows of which there are more than `count` */
  constructor(
    readonly seed: number,
    readonly position: number,
    readonly rows: Uint32Array,
    count: number,
  ) {
    this.#drawn = new Uint32Array(count);
  }

  /** Valid until the next draw. */
  draw(round: number): Uint32Array {
    const { rows } = this;
    const drawn = this.#drawn;
    const shorter = Math.floor(rows.length / drawn.length);
    const over = rows.length % drawn.length;
    this.#drawnBlock = -1;
    let start = this.#below(rows.length, 0, round);
    // stretches of one row more come at equal distances, as the steps of a line on paper do
    let rest = 0;
    for (let at = 0; at < drawn.length; at++) {
      rest += over;
      const isLonger = rest >= drawn.length;
      if (isLonger) rest -= drawn.length;
      const length = isLonger ? shorter + 1 : shorter;
      const place = start + this.#below(length, at + 1, round);
      drawn[at] = rows[place < rows.length ? place : place - rows.length]!;
      start += length;
      if (start >= rows.length) start -= rows.length;
    }
    return drawn;
  }

  /** The `at`-th number of a round, a whole one below the limit; asked for one after another. */
  #below(limit: number, at: number, round: number): number {
    const block = at >>> 2;
    if (block !== this.#drawnBlock) {
      const { seed, position } = this;
      philox4x32(this.#block, block, round, position, Purpose.rows, seed % 2 ** 32, Math.floor(seed / 2 ** 32));
      this.#drawnBlock = block;
    }
    return Math.floor(this.#block[at & 3]! * 2 ** -32 * limit);
  }
}

/**
 * The draws of one target: of the training rows that reach it so many for each tree; null where there are no more than
 * that, and each tree grows on all of them.
 */
export function sampleOf(
  data: TrainingData,
  target: Target,
  { seed, rowsPerTree }: { readonly seed: number; readonly rowsPerTree?: number | undefined },
): RowSample | null {
  if (rowsPerTree === undefined || data.trainingRows <= rowsPerTree) return null;
  const rows = typeof target === 'number' ? null : target.rows;
  const end = rows?.length ?? data.rowCount;
  if (end <= rowsPerTree) return null;
  const reaching = new Uint32Array(Math.min(end, data.trainingRows));
  let count = 0;
  for (let place = 0; place < end; place++) {
    const row = rows === null ? place : rows[place]!;
    if (data.splitOf(row) !== Split.train) continue;
    reaching[count] = row;
    count++;
  }
  if (count <= rowsPerTree) return null;
  return new RowSample(seed, predictorsOf(target), reaching.subarray(0, count), rowsPerTree);
}
