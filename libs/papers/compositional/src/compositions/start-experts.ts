import type { CountedRows } from '@orchard/dataset';
import { drawSome, type RandomStream } from '@orchard/numerics';
import { abstainingOf, EPSILON, Experts, isAsymmetric, MARGIN, type Composition } from './experts.js';
import { ExtremalCounts } from './extremal-counts.js';
import { Pursuit } from './pursuit.js';

export const starts = ['sequential', 'random'] as const;

export type Start = (typeof starts)[number];

export interface StartOptions {
  readonly composition: Composition;
  /** K. */
  readonly experts: number;
  readonly start: Start;
}

/** Rows that the sequential start looks at, at most; EM looks at all. */
const ONLINE_ROWS = 1000;
/** A template's own probability comes out of a composition as itself up to this. */
const ROUNDING = 1e-9;

/** What EM begins with. */
export function startOf(train: CountedRows, options: StartOptions, stream: RandomStream): Experts {
  const { composition, experts } = options;
  const { dimensions } = train.distinct;
  const abstaining = abstainingOf(composition, train.rows);
  const parts = { composition, dimensions, abstaining, active: new Float64Array(experts).fill(1 / 2) };
  if (options.start === 'sequential') return new Experts({ ...parts, rates: oneByOne(train, options, stream) });
  // anything that a template may say
  const least = isAsymmetric(composition) ? abstaining : MARGIN;
  const drawn = (): number => least + (1 - MARGIN - least) * stream.uniform();
  return new Experts({ ...parts, rates: Float64Array.from({ length: experts * dimensions }, drawn) });
}

/**
 * Oversimplification and correction (thesis, 3.3.1), over differing rows in random order: the first makes an expert,
 * each of the next K - 1 one more of what those before it do not explain, and every other row updates the experts that
 * explain it.
 */
function oneByOne(train: CountedRows, options: StartOptions, stream: RandomStream): Float64Array {
  const { distinct } = train;
  const { dimensions } = distinct;
  // where opinions are summed no formula says who is responsible: they begin as the rule of extremes of their kind
  const composition = isAsymmetric(options.composition) ? 'max' : 'max-minus-min';
  const abstaining = abstainingOf(composition, train.rows);
  const active = new Float64Array(options.experts).fill(1 / 2);
  // who has not been made yet says 1/2 of every column, and explains nothing
  const counts = new ExtremalCounts(options.experts, dimensions);
  const values = new Uint8Array(dimensions);
  const composed = new Float64Array(dimensions);
  const all = Uint32Array.from({ length: distinct.rows }, (_, row) => row);
  drawSome(all, Math.min(all.length, ONLINE_ROWS), stream).forEach((row, at) => {
    distinct.readRow(row, values);
    const experts = new Experts({ composition, dimensions, abstaining, active, rates: counts.rates() });
    const pursuit = new Pursuit(experts);
    const explanation = pursuit.explain(values);
    if (at >= options.experts) {
      counts.add(experts, values, explanation.experts, 1);
      return;
    }
    pursuit.composed.ratesInto(composed);
    for (let dim = 0; dim < dimensions; dim++) {
      const value = values[dim]!;
      const known = value === 1 ? composed[dim]! : 1 - composed[dim]!;
      if (!isExplained(composition, value, known)) counts.vote(at, dim, value);
    }
  });
  return counts.rates();
}

/**
 * Whether a new expert abstains from a value that the others give this probability. Of `max` only from ones: printed as
 * the thesis has it (always where it is at least 1/2) the background would be 1/2 too, and it should be near 0.
 */
export function isExplained(composition: Composition, value: number, probability: number): boolean {
  if (composition === 'max') return value === 1 && probability >= 1 / 2;
  return probability >= (1 + EPSILON) / (1 + 2 * EPSILON) - ROUNDING;
}
