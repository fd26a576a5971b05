import type { CountedRows } from '@orchard/dataset';
import { EPSILON, Experts, isExtremal } from './experts.js';
import { ExtremalCounts } from './extremal-counts.js';
import { Pursuit } from './pursuit.js';
import { SetCounts } from './set-counts.js';

/** A step of EM: what it makes of the experts before it, and how these explained the rows. */
export interface EmStep {
  readonly experts: Experts;
  /**
   * Summed nats of all rows under the composed templates of the experts before: minus the cross-entropy of figure 3.6.
   */
  readonly explained: number;
}

/**
 * Hard EM: every row is explained by a pursuit, then templates and shares follow from the explanations.
 *
 * @returns null where it was cancelled
 */
export function stepOf(
  { distinct, counts, rows }: CountedRows,
  experts: Experts,
  isCancelled: () => boolean = () => false,
): EmStep | null {
  const pursuit = new Pursuit(experts);
  const templates = isExtremal(experts.composition)
    ? new ExtremalCounts(experts.count, experts.dimensions)
    : new SetCounts();
  const active = new Float64Array(experts.count);
  const values = new Uint8Array(experts.dimensions);
  let explained = 0;
  for (let row = 0; row < distinct.rows; row++) {
    if (row % 256 === 0 && isCancelled()) return null;
    distinct.readRow(row, values);
    const times = counts[row]!;
    const { experts: own, nats } = pursuit.explain(values);
    explained += times * nats;
    for (const expert of own) active[expert]! += times;
    templates.add(experts, values, own, times);
  }
  const shares = active.map((count) => (count + EPSILON) / (rows + 2 * EPSILON));
  return { experts: new Experts({ ...experts.parts(), active: shares, rates: templates.rates(experts) }), explained };
}
