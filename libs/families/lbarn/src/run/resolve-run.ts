import {
  AUTO,
  SEARCH,
  defaultChoice,
  isInformed,
  parseContract,
  resolveOptions,
  runIdOf,
  runSpecificationSchema,
  withPreset,
  type AskedOptions,
  type NetworkChoice,
  type RunSpecification,
  type RunWords,
} from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { checkSplits, plainOrdering, type ResolvedRun, type RunDatasets } from '@orchard/pipeline';
import { checkRefit } from './choices.js';
import { checkLength } from './lbarn-run.js';
import { requireFewPairs, resolveMembers } from '../members/resolve-members.js';
import { resolveVariant } from './resolve-variant.js';
import { resolveTuning } from '../tuning/resolve-tuning.js';

/**
 * The run that the words of a request mean for these data sets. Equal requests are equal runs, wherever they are
 * resolved.
 *
 * @throws PipelineError `bad-request` where splits or ordering do not fit together
 */
export function resolveRun(said: RunWords, datasets: RunDatasets): ResolvedRun<RunSpecification, NetworkChoice> {
  checkSplits(datasets);
  const words = withPreset(said);
  const { train, valid, test } = datasets;
  const seed = words.seed ?? 0;
  const members = resolveMembers(words, datasets);
  const options = optionsOf(words.leaves === SEARCH ? { ...words, leaves: AUTO } : words);
  const variant = resolveVariant(words, options.start, datasets);
  const tuning = resolveTuning(options, words, variant, datasets);
  const specification: RunSpecification = {
    train: train.id,
    valid: valid.id,
    test: test?.id ?? null,
    ...options,
    ordering: resolveOrdering(words.ordering ?? 'natural', train.dimensions, seed),
    seed,
    ...variant,
    numericsVersion: NUMERICS_VERSION,
    ...(members !== null && { members: members.options }),
    ...(tuning !== null && { tuning }),
  };
  parseContract(runSpecificationSchema, specification, 'run specification');
  const choice = {
    selection: words.select ?? defaultChoice.selection,
    refit: words.refit ?? defaultChoice.refit,
    ...(members !== null && { members: members.count }),
  };
  checkRefit(specification, choice.refit);
  return { runId: runIdOf(specification), specification, choice };
}

/**
 * Trees of which some are dropped are not shrunk unless that is said: their weights fall with the number of those left
 * out, and with the shrinkage of a preset they would not come to an end. A round of a single tree is a split: there is
 * one fewer than leaves.
 */
function optionsOf(words: RunWords): AskedOptions {
  const isDropped = (words.dropout ?? 0) > 0 && words.shrinkage === undefined;
  const options = { ...resolveOptions(words), ...(isDropped && { shrinkage: 1 }) };
  return words.pseudoCount === undefined ||
    words.preset !== 'single-tree' ||
    words.leaves === undefined ||
    words.leaves === AUTO ||
    words.leaves === SEARCH
    ? options
    : { ...options, rounds: words.leaves - 1 };
}

/** As stored is always `natural`, so that one ordering has one spelling and one run id. */
function resolveOrdering(
  words: NonNullable<RunWords['ordering']>,
  dimensions: number,
  seed: number,
): RunSpecification['ordering'] {
  if (words === 'natural' || words === AUTO) return words;
  if (typeof words === 'string' && isInformed(words)) {
    requireFewPairs(words, dimensions, 'ordering');
    return words;
  }
  const ordering = typeof words === 'string' ? plainOrdering(words, dimensions, seed) : words;
  checkLength(ordering, dimensions);
  return ordering.every((dimension, position) => dimension === position) ? 'natural' : ordering;
}
