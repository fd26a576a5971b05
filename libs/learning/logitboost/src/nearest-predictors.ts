import type { NearPredictors } from './options.js';

/**
 * The columns before a position that lie nearest to its own, of two equally near ones the left first: found by walking
 * away from it on both sides.
 *
 * @returns positions, rising; all before it where there are no more than that
 */
export function nearestPredictors(position: number, { count, ordering, positions }: NearPredictors): Uint32Array {
  const own = ordering[position]!;
  const nearest: number[] = [];
  const wanted = Math.min(count, position);
  for (let distance = 1; nearest.length < wanted; distance++)
    for (const column of [own - distance, own + distance]) {
      const predictor = positions[column];
      if (predictor !== undefined && predictor < position && nearest.length < wanted) nearest.push(predictor);
    }
  return Uint32Array.from(nearest).sort();
}
