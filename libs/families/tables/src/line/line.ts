import type { Variable } from '@orchard/contracts';
import { codesInOrder, sumsByCode, type DecisionTree } from '@orchard/dataset';
import { clampOdds } from '@orchard/model';
import { exp } from '@orchard/numerics';
import type { LineFeatures } from './line-features.js';
import { onGrid } from './on-grid.js';
import { ProductSums, type Pair } from './products.js';

/**
 * A variable's place on a line: a linear function μ of the variables before it, and of products of their numbers where
 * these tell more, and a logistic distribution around it, cut into the variable's values. All is in units of that
 * distribution's scale, so that P(value below edge e) is 1 / (1 + exp(μ - e)).
 */
export interface Line {
  readonly intercept: number;
  /** One a feature of the positions before ({@link LineFeatures}). */
  readonly coefficients: Float64Array;
  /** Between the values in their order, ascending. */
  readonly edges: Float64Array;
  /** Of each decision of the variable: 1 where its odds are the line's, 0 where they are a constant. */
  readonly decisions: Uint8Array;
  /** Of each position before: what the line tells by it, in the unit of the gains of splits. */
  readonly gains: Float64Array;
  /** Of each predictor bit of the positions before: by how much it moves its score. */
  readonly jumps: Float64Array;
  /** Of each position before, of its number in units of its spread beside its score; 0 of others. */
  readonly slopes: Float64Array;
  /** Of each predictor bit of the positions before: by how much it moves that number. */
  readonly steps: Float64Array;
  /** Positions before whose numbers are multiplied. */
  readonly pairs: readonly Pair[];
  /** Of each of these products, of what the steps of the set bits of both positions add up to. */
  readonly curvatures: Float64Array;
}

/** |μ| beyond it counts as it: of the odds nothing overflows. */
const FARTHEST = 200;

/** What each predictor bit of the positions before adds to μ. */
export function lineWeights(
  { coefficients, jumps, slopes, steps }: Line,
  { scoreOf, ownOf, positionOf }: LineFeatures,
): Float64Array {
  return jumps.map((jump, bit) => {
    const [score, own] = [scoreOf[bit]!, ownOf[bit]!];
    // of a sum
    if (score < 0 && own < 0) return 0;
    const byScore = score < 0 ? 0 : onGrid(coefficients[score]! * jump);
    const byNumber = onGrid(slopes[positionOf[bit]!]! * steps[bit]!);
    return byScore + byNumber + (own < 0 ? 0 : onGrid(coefficients[own]!));
  });
}

/** e^μ. */
export function placeOf(sum: number): number {
  return exp(Math.min(Math.max(sum, -FARTHEST), FARTHEST));
}

/**
 * The stretches of each side of a decision: codes side by side on the line, of each stretch e^edge below it and above
 * it, 0 and Infinity at the ends.
 */
interface Sides {
  readonly zero: Float64Array;
  readonly one: Float64Array;
}

/** What the variable at a position adds to μ, by its code. */
interface LinePart {
  readonly position: number;
  readonly sums: Float64Array;
}

/** The odds that a line gives the decisions of its variable. */
export class LineOdds {
  /** By decision; null where the line has nothing to say. */
  readonly #sides: readonly (Sides | null)[];
  readonly #weights: Float64Array;
  readonly #intercept: number;
  /** Null where no numbers are multiplied. */
  readonly #products: ProductSums | null;
  readonly #features: LineFeatures;
  /** Made when rows are asked for. */
  #parts: readonly LinePart[] | null = null;
  /** As these: of each number that is multiplied, by code. */
  #factors: readonly Float64Array[] | null = null;

  constructor(line: Line, variable: Variable, tree: DecisionTree, features: LineFeatures) {
    this.#weights = lineWeights(line, features);
    this.#intercept = onGrid(line.intercept);
    this.#products = line.pairs.length === 0 ? null : new ProductSums(line, features.positionOf);
    this.#features = features;
    this.#sides = sidesOf(variable, tree, line.edges).map((sides, decision) =>
      line.decisions[decision] === 1 ? sides : null,
    );
  }

  has(decision: number): boolean {
    return this.#sides[decision] !== null;
  }

  /** Positions of the variables that μ depends on. */
  reads(): readonly number[] {
    const parts = this.#partsOfLine();
    return [...parts.map(({ position }) => position), ...(this.#products?.factors ?? [])];
  }

  /**
   * e^μ of some rows: an addition a variable instead of one a bit, and of variables in which the rows agree one for all
   * of them. Sums are exact, so it comes to the same.
   *
   * @param codes of the variables in the ordering, element `row * stride + position`
   * @param differing positions in which the rows may differ
   * @param out element `row`; rows that are not asked for stay as they are
   */
  places(
    codes: Uint16Array,
    stride: number,
    rows: ArrayLike<number>,
    differing: readonly number[],
    out: Float64Array,
  ): void {
    if (rows.length === 0) return;
    const ofLine = this.#partsOfLine();
    this.#factors ??= this.#products?.numbersByCode(this.#features.variables) ?? [];
    const isDiffering = new Uint8Array(this.#features.variables.length);
    for (const position of differing) isDiffering[position] = 1;
    let shared = this.#intercept;
    const parts: LinePart[] = [];
    const first = rows[0]! * stride;
    for (const part of ofLine)
      if (isDiffering[part.position] === 1) parts.push(part);
      else shared += part.sums[codes[first + part.position]!]!;
    const products = this.#products;
    const factors = this.#factors;
    const numbers = new Float64Array(factors.length);
    const isOwn = new Uint8Array(factors.length);
    products?.factors.forEach((position, factor) => {
      numbers[factor] = factors[factor]![codes[first + position]!]!;
      isOwn[factor] = isDiffering[position]!;
    });
    const own = [...isOwn.keys()].filter((factor) => isOwn[factor] === 1);
    const [ownProducts, others] = products?.divided(isOwn) ?? [[], []];
    shared += products?.sum(numbers, others) ?? 0;
    if (parts.length === 0 && ownProducts.length === 0) {
      const place = placeOf(shared);
      for (let at = 0; at < rows.length; at++) out[rows[at]!] = place;
      return;
    }
    for (let at = 0; at < rows.length; at++) {
      const start = rows[at]! * stride;
      let sum = shared;
      for (let part = 0; part < parts.length; part++) {
        const { position, sums } = parts[part]!;
        sum += sums[codes[start + position]!]!;
      }
      if (ownProducts.length > 0) {
        for (let each = 0; each < own.length; each++) {
          const factor = own[each]!;
          numbers[factor] = factors[factor]![codes[start + products!.factors[factor]!]!]!;
        }
        sum += products!.sum(numbers, ownProducts);
      }
      out[rows[at]!] = placeOf(sum);
    }
  }

  #partsOfLine(): readonly LinePart[] {
    this.#parts ??= this.#partsByCode();
    return this.#parts;
  }

  #partsByCode(): readonly LinePart[] {
    const { variables, firstBits } = this.#features;
    const parts: LinePart[] = [];
    variables.forEach((variable, position) => {
      const [first, end] = [firstBits[position]!, firstBits[position + 1]!];
      if (end > this.#weights.length) return;
      const sums = sumsByCode(variable, this.#weights.subarray(first, end));
      if (sums.some((sum) => sum !== 0)) parts.push({ position, sums });
    });
    return parts;
  }

  /** Odds of outcome 1 of a decision, before any tree. @param place e^μ */
  odds(decision: number, place: number): number {
    return oddsOf(this.#sides[decision]!, place);
  }

  /**
   * Odds of the trees of a decision that has the line become those on the line.
   *
   * @param odds by place in `rows`
   * @param places e^μ by row
   */
  multiply(decision: number, odds: Float64Array, rows: ArrayLike<number>, places: Float64Array): void {
    const sides = this.#sides[decision]!;
    for (let at = 0; at < odds.length; at++) odds[at] = clampOdds(odds[at]! * oddsOf(sides, places[rows[at]!]!));
  }
}

/**
 * Whether all codes that a decision leads to are values that have an order, and which: null where they are not, as of
 * "is it missing?".
 */
export function sidesOf(variable: Variable, tree: DecisionTree, edges: Float64Array): readonly (Sides | null)[] {
  if (variable.kind !== 'ordered') return Array.from(tree.zero, () => null);
  const rankOf = new Map(codesInOrder(variable).map((code, rank) => [code, rank]));
  const exponentials = edges.map((edge) => exp(edge));
  const ranksBelow = (child: number): (number | undefined)[] =>
    child < 0 ? [rankOf.get(-1 - child)] : [...ranksBelow(tree.zero[child]!), ...ranksBelow(tree.one[child]!)];
  const stretches = (ranks: readonly (number | undefined)[]): Float64Array | null => {
    if (ranks.includes(undefined)) return null;
    const sorted = Uint32Array.from(ranks as number[]).sort();
    const found: number[] = [];
    let first = 0;
    for (let at = 0; at < sorted.length; at++) {
      if (at + 1 < sorted.length && sorted[at + 1] === sorted[at]! + 1) continue;
      const low = sorted[first]! === 0 ? 0 : exponentials[sorted[first]! - 1]!;
      found.push(low, exponentials[sorted[at]!] ?? Infinity);
      first = at + 1;
    }
    return Float64Array.from(found);
  };
  return Array.from(tree.zero, (child, decision) => {
    const [zero, one] = [stretches(ranksBelow(child)), stretches(ranksBelow(tree.one[decision]!))];
    return zero === null || one === null ? null : { zero, one };
  });
}

function oddsOf({ zero, one }: Sides, place: number): number {
  return clampOdds(massOf(one, place) / massOf(zero, place));
}

/**
 * With E = e^edge and m = e^μ, P(value between two edges) is m (H - L) / ((L + m) (H + m)): no difference of two
 * probabilities that are nearly alike. m itself is left out, for odds.
 */
function massOf(stretches: Float64Array, place: number): number {
  let mass = 0;
  // it is asked for each row or particle, and there are one stretch or two
  for (let at = 0; at < stretches.length; at += 2) {
    const low = stretches[at]!;
    const high = stretches[at + 1]!;
    mass += high === Infinity ? 1 / (low + place) : (high - low) / ((low + place) * (high + place));
  }
  return mass;
}
