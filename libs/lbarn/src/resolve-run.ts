import {
  AUTO,
  defaultChoice,
  parseContract,
  resolveOptions,
  runIdOf,
  runSpecificationSchema,
  withPreset,
  type NetworkChoice,
  type RunSpecification,
  type RunWords,
} from '@orchard/contracts';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { checkSplits, type ResolvedRun, type RunDatasets } from '@orchard/pipeline';
import { checkLength } from './lbarn-run.js';
import { resolveMembers } from './members/resolve-members.js';
import { resolveTuning } from './tuning/resolve-tuning.js';
import { randomOrdering } from './permutation.js';

/**
 * The run that the words of a request mean for these data sets. Equal requests are equal runs, whoever resolves them.
 *
 * @throws PipelineError `bad-request` where splits or ordering do not fit together
 */
export function resolveRun(said: RunWords, datasets: RunDatasets): ResolvedRun<RunSpecification, NetworkChoice> {
  checkSplits(datasets);
  const words = withPreset(said);
  const { train, valid, test } = datasets;
  const seed = words.seed ?? 0;
  const members = resolveMembers(words, datasets);
  const options = resolveOptions(words);
  const tuning = resolveTuning(options, words, datasets);
  const specification: RunSpecification = {
    train: train.id,
    valid: valid.id,
    test: test?.id ?? null,
    ...options,
    ordering: resolveOrdering(words.ordering ?? 'natural', train.dimensions, seed),
    seed,
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
  return { runId: runIdOf(specification), specification, choice };
}

/** As stored is always `natural`, so that one ordering has one spelling and one run id. */
function resolveOrdering(
  words: NonNullable<RunWords['ordering']>,
  dimensions: number,
  seed: number,
): RunSpecification['ordering'] {
  if (words === 'natural' || words === AUTO) return words;
  const ordering = words === 'random' ? randomOrdering(dimensions, seed) : words;
  checkLength(ordering, dimensions);
  return ordering.every((dimension, position) => dimension === position) ? 'natural' : ordering;
}
