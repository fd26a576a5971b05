/** What leaves and the share of predictors are called where the note is read: as options, or as fields. */
export interface NamesOfOptions {
  readonly leaves: string;
  readonly allPredictors: string;
}

/**
 * What to say where leaves were chosen and the share of predictors was not: no trial of it is made then, and a rule
 * that takes two columns together is missed where a tree rarely looks at both. Null where nothing needs saying.
 *
 * @param words that people gave
 * @param specification what became of them
 */
export function featureFractionNote(
  words: Readonly<Record<string, unknown>>,
  specification: Readonly<Record<string, unknown>>,
  names: NamesOfOptions,
): string | null {
  const { featureFraction } = specification;
  const isChosen = typeof words['leaves'] === 'number' && words['featureFraction'] === undefined;
  if (!isChosen || typeof featureFraction !== 'number' || featureFraction === 1) return null;
  return (
    `with ${names.leaves} alone each tree splits on ${String(featureFraction)} of the predictors, and may miss what two columns show together; ` +
    `${names.allPredictors} takes all`
  );
}
