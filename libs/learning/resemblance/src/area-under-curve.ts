/** The chance that a positive has a higher score than a negative, ties counting half: the area under the ROC curve. */
export function areaUnderCurve(positives: Float64Array, negatives: Float64Array): number {
  const [high, low] = [Float64Array.from(positives).sort(), Float64Array.from(negatives).sort()];
  let [wins, below, upTo] = [0, 0, 0];
  for (const score of high) {
    while (below < low.length && low[below]! < score) below++;
    if (upTo < below) upTo = below;
    while (upTo < low.length && low[upTo]! <= score) upTo++;
    wins += (below + upTo) / 2;
  }
  return wins / (high.length * low.length);
}
