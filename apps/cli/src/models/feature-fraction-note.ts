/**
 * What to say where leaves were chosen and the share of predictors was not: no trial of it is made then, and a rule that takes two columns
 * together is missed where a tree rarely looks at both. Null where nothing needs saying.
 *
 * @param words that people gave
 * @param specification what became of them
 */
export function featureFractionNote(
  words: Readonly<Record<string, unknown>>,
  specification: Readonly<Record<string, unknown>>,
): string | null {
  const { featureFraction } = specification;
  const isChosen = typeof words['leaves'] === 'number' && words['featureFraction'] === undefined;
  if (!isChosen || typeof featureFraction !== 'number' || featureFraction === 1) return null;
  return (
    `with --leaves alone each tree splits on ${String(featureFraction)} of the predictors, and may miss what two columns show together; ` +
    '--feature-fraction 1 takes all'
  );
}
