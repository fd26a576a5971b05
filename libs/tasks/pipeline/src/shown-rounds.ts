/**
 * The rounds of a curve that are shown: of long ones every so manyth, and the last.
 *
 * @param points of the curve, after 0, 1, … rounds
 */
export function shownRounds(points: number, most = 400): readonly number[] {
  const step = Math.max(1, Math.ceil(points / most));
  return Array.from({ length: points }, (_, round) => round).filter(
    (round) => round % step === 0 || round === points - 1,
  );
}
