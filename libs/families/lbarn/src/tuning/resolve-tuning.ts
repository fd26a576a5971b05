import {
  AUTO,
  presets,
  quickSettings,
  SEARCH,
  tuningDefaults,
  type AskedOptions,
  type RunWords,
  type Tuning,
  type Variant,
} from '@orchard/contracts';
import type { RunDatasets } from '@orchard/pipeline';
import { MOST_PAIRED } from '../members/resolve-members.js';

/**
 * How a run finds the settings that options leave to it, and measures what fewer predictors lose; null where there is
 * neither. Trials take larger steps than the run and as many fewer of them, so that all together cost a part of what
 * the run does; a preset that spends more tries more leaves on more dimensions.
 */
export function resolveTuning(
  { leaves, featureFraction, rounds, shrinkage, patience }: AskedOptions,
  { preset, leaves: asked, ordering, pseudoCount }: RunWords,
  { maxPredictors }: Variant,
  { train: { dimensions } }: RunDatasets,
): Tuning | null {
  const isSettled = leaves !== AUTO && featureFraction !== AUTO && ordering !== AUTO && pseudoCount !== AUTO;
  if (isSettled && maxPredictors === undefined) return null;
  const { mostDimensions, orderings, wideOrderings, pseudoCounts } = tuningDefaults;
  const isInFull = asked === SEARCH;
  // a single tree has no steps to take quicker
  const haste = pseudoCount === undefined && !isInFull ? tuningDefaults.haste : 1;
  const search = tuningDefaults[preset === 'accurate' ? 'thorough' : 'brief'];
  return {
    ...(leaves === AUTO && { leaves: [...(isInFull ? tuningDefaults.paper : search).leaves] }),
    ...(featureFraction === AUTO && {
      featureFractions: [...new Set([presets[preset ?? 'default'].featureFraction, ...search.featureFractions])],
    }),
    ...((leaves === AUTO || featureFraction === AUTO) && {
      dimensions: isInFull ? dimensions : Math.min(mostDimensions, Math.ceil(dimensions * search.share)),
    }),
    ...(maxPredictors !== undefined && { predictorDimensions: tuningDefaults.predictorDimensions }),
    ...(ordering === AUTO && { orderings: [...(dimensions > MOST_PAIRED ? wideOrderings : orderings)] }),
    ...(pseudoCount === AUTO && { pseudoCounts: [...pseudoCounts] }),
    ...quickSettings({ rounds, shrinkage, patience }, haste),
    ...(isInFull && { shrinkages: raisedShrinkages(shrinkage) }),
  };
}

/** The run's own shrinkage and larger ones, at most 1. */
function raisedShrinkages(shrinkage: number): number[] {
  const raised = tuningDefaults.paper.shrinkages.map((factor) =>
    Math.min(1, Number((shrinkage * factor).toPrecision(12))),
  );
  return [...new Set(raised)];
}
