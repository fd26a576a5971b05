import type { Design } from './design.js';
import { sumListed, takeListed } from './listed-sums.js';

/** Products of two columns that are kept at most: 32 MB of them. */
const MOST_PRODUCTS = 2 ** 22;

/**
 * A square that touches the loss, by the variances of where it was made, and what is left of the residuals while
 * weights move on it: summed over the list of each column that is tried. Columns are spoken of by their places among
 * these.
 *
 * A weight that moves takes from each group of its list, and another column's sum is found by going through a list of
 * its own: cheap as long as weights move a few times. Where they go on moving it is cheaper to know how much of its
 * variance a list has in common with each other one (the covariance updates of Friedman, Hastie, Tibshirani 2010): a
 * move is then one product a column. So lists are gone through until that has cost what the products would, and
 * products are taken from there on: never much more than twice what the better one would have cost. Counts alone
 * decide, so that it is the same on any machine.
 */
export class TouchingSquare {
  /** Σ of the variances, over all groups and over each list. */
  readonly variance: number;
  readonly listed: Float64Array;
  private readonly variances: Float64Array;
  private readonly left: Float64Array;
  /** Of each place the sum over its list; none while lists are gone through. */
  private sums: Float64Array | null = null;
  /** Of places whose weights moved: how much of its variance their list has in common with that of each place. */
  private readonly products: (Float64Array | null)[];
  private readonly hasMoved: Uint8Array;
  /** Members of lists gone through so far, and how many the products of all that moved would cost. */
  private spent = 0;
  private price = 0;
  private readonly length: number;

  /**
   * @param tried columns
   * @param variances of each group; copied
   * @param isLong whether weights will move many times: products are taken at once
   */
  constructor(
    private readonly design: Design,
    readonly tried: Uint32Array,
    variances: Float64Array,
    private readonly isLong: boolean,
  ) {
    this.variances = variances.slice();
    this.left = new Float64Array(variances.length);
    this.products = new Array<Float64Array | null>(tried.length).fill(null);
    this.hasMoved = new Uint8Array(tried.length);
    let variance = 0;
    for (const own of variances) variance += own;
    this.variance = variance;
    this.listed = Float64Array.from(tried, (column) => this.sumOver(column, this.variances));
    this.length = tried.reduce((sum, column) => sum + design.starts[column + 1]! - design.starts[column]!, 0);
  }

  /** Whether products are taken, so that moves and sums cost next to nothing. */
  get isCheap(): boolean {
    return this.sums !== null;
  }

  /** Touches the loss where its residuals are these. */
  touch(residuals: Float64Array): void {
    this.left.set(residuals);
    if (this.sums !== null || (this.isLong && this.areFew)) this.takeSums();
  }

  /** Σ of what is left, over the list of the column at this place. */
  sumAt(place: number): number {
    if (this.sums !== null) return this.sums[place]!;
    const column = this.tried[place]!;
    this.spent += this.design.starts[column + 1]! - this.design.starts[column]!;
    return this.sumOver(column, this.left);
  }

  /** Takes as many times its variance from each group on the list of the column at this place. */
  takeAt(place: number, times: number): void {
    const { sums } = this;
    if (sums !== null) {
      this.products[place] ??= this.productsOf(place);
      const products = this.products[place];
      for (let other = 0; other < sums.length; other++) sums[other]! -= times * products[other]!;
      return;
    }
    const { starts, members } = this.design;
    const [from, to] = [starts[this.tried[place]!]!, starts[this.tried[place]! + 1]!];
    takeListed(members, from, to, this.left, this.variances, times);
    this.spent += 2 * (to - from);
    if (this.hasMoved[place] === 1) return;
    this.hasMoved[place] = 1;
    this.price += this.length;
  }

  /** Between two passes: takes products from here on, if lists have cost as much as they would. */
  reconsider(): void {
    if (this.sums === null && this.areFew && this.price > 0 && this.spent >= this.price) this.takeSums();
  }

  private get areFew(): boolean {
    return this.tried.length ** 2 <= MOST_PRODUCTS;
  }

  private takeSums(): void {
    this.sums = Float64Array.from(this.tried, (column) => this.sumOver(column, this.left));
  }

  private productsOf(place: number): Float64Array {
    const { design, tried, products, variances } = this;
    const { starts, members } = design;
    // variances of this list's groups, 0 of all others: what is left is not asked for any more
    const spread = this.left.fill(0);
    for (let at = starts[tried[place]!]!; at < starts[tried[place]! + 1]!; at++)
      spread[members[at]!] = variances[members[at]!]!;
    return Float64Array.from(tried, (column, other) => products[other]?.[place] ?? this.sumOver(column, spread));
  }

  private sumOver(column: number, values: Float64Array): number {
    const { starts, members } = this.design;
    return sumListed(members, starts[column]!, starts[column + 1]!, values);
  }
}
