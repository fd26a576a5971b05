import {
  parseContract,
  resolveOptions,
  runIdOf,
  runSpecificationSchema,
  defaultChoice,
  type DatasetFacts,
  type NetworkChoice,
  type RunSpecification,
  type RunWords,
} from '@orchard/contracts';
import { NUMERICS_VERSION, Purpose, RandomStream } from '@orchard/numerics';
import type { ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import { datasetFacts } from './datasets.js';
import { PipelineError } from './errors.js';
import { readDocument, writeDocument } from './documents.js';

/** The splits that a run trains on, validates with, and reports on. */
export interface RunDatasets {
  readonly train: DatasetFacts;
  readonly valid: DatasetFacts;
  readonly test: DatasetFacts | null;
}

/** A request made definite. `specification` says all that training needs; `choice` what is wanted of the run. */
export interface ResolvedRun {
  readonly runId: string;
  readonly specification: RunSpecification;
  readonly choice: NetworkChoice;
}

/** A run that the store knows. */
export interface Run {
  readonly id: string;
  readonly specification: RunSpecification;
  readonly datasets: RunDatasets;
  /** `ordering[position]` is the stored dimension there. */
  readonly ordering: Uint32Array;
  /** `positions[dimension]` is where a stored dimension stands in the ordering. */
  readonly positions: Uint32Array;
}

/**
 * The run that the words of a request mean for these data sets. Equal requests are equal runs, whoever resolves them.
 *
 * @throws PipelineError `bad-request` where splits or ordering do not fit together
 */
export function resolveRun(words: RunWords, datasets: RunDatasets): ResolvedRun {
  const { train, valid, test } = datasets;
  for (const [split, facts] of Object.entries(datasets) as [string, DatasetFacts | null][]) {
    if (facts !== null) checkSplit(split, facts, train);
  }
  const seed = words.seed ?? 0;
  const specification: RunSpecification = {
    train: train.id,
    valid: valid.id,
    test: test?.id ?? null,
    ...resolveOptions(words),
    ordering: resolveOrdering(words.ordering ?? 'natural', train.dimensions, seed),
    seed,
    numericsVersion: NUMERICS_VERSION,
  };
  parseContract(runSpecificationSchema, specification, 'run specification');
  const choice = {
    selection: words.select ?? defaultChoice.selection,
    refit: words.refit ?? defaultChoice.refit,
  };
  return { runId: runIdOf(specification), specification, choice };
}

/** Stores the specification (the same again does no harm) and opens the run. The data sets are to be there already. */
export async function createRun(store: ObjectStore, specification: RunSpecification): Promise<Run> {
  const run = await describeRun(store, parseContract(runSpecificationSchema, specification, 'run specification'));
  await writeDocument(store, artefactNames.specification(run.id), specification);
  return run;
}

/** @throws PipelineError `missing-artefact` for a run or data set that is not in the store */
export async function openRun(store: ObjectStore, runId: string): Promise<Run> {
  const name = artefactNames.specification(runId);
  const run = await describeRun(store, await readDocument(store, name, runSpecificationSchema));
  if (run.id !== runId) {
    throw new PipelineError('damaged-artefact', {
      got: `the specification of run ${run.id}`,
      expected: `that of run ${runId}`,
      where: name,
      remedy: 'Delete this run and submit it again.',
    });
  }
  return run;
}

/** Refuses to mix two versions of the kernel in one run. @throws PipelineError `other-numerics` */
export function requireSameNumerics({ id, specification: { numericsVersion } }: Run): void {
  if (numericsVersion === NUMERICS_VERSION) return;
  throw new PipelineError('other-numerics', {
    got: `a run of numerics version ${numericsVersion}`,
    expected: `version ${NUMERICS_VERSION}, which this program computes`,
    where: `run ${id}`,
    remedy: 'Submit the run anew, or finish it with the program that began it.',
  });
}

async function describeRun(store: ObjectStore, specification: RunSpecification): Promise<Run> {
  const [train, valid, test] = await Promise.all([
    datasetFacts(store, specification.train),
    datasetFacts(store, specification.valid),
    specification.test === null ? null : datasetFacts(store, specification.test),
  ]);
  const ordering = orderingOf(specification, train.dimensions);
  const positions = new Uint32Array(ordering.length);
  ordering.forEach((dimension, position) => (positions[dimension] = position));
  return { id: runIdOf(specification), specification, datasets: { train, valid, test }, ordering, positions };
}

function orderingOf({ ordering }: RunSpecification, dimensions: number): Uint32Array {
  if (ordering === 'natural') return Uint32Array.from({ length: dimensions }, (_, position) => position);
  checkLength(ordering, dimensions);
  return Uint32Array.from(ordering);
}

/** As stored is always `natural`, so that one ordering has one spelling and one run id. */
function resolveOrdering(
  words: NonNullable<RunWords['ordering']>,
  dimensions: number,
  seed: number,
): RunSpecification['ordering'] {
  if (words === 'natural') return words;
  const ordering = words === 'random' ? randomOrdering(dimensions, seed) : words;
  checkLength(ordering, dimensions);
  return ordering.every((dimension, position) => dimension === position) ? 'natural' : ordering;
}

/** Fisher-Yates from the last position down: all permutations are equally likely. */
function randomOrdering(dimensions: number, seed: number): number[] {
  const stream = new RandomStream(seed, Purpose.ordering);
  const ordering = Array.from({ length: dimensions }, (_, position) => position);
  for (let position = dimensions - 1; position > 0; position--) {
    const other = stream.below(position + 1);
    [ordering[position], ordering[other]] = [ordering[other]!, ordering[position]!];
  }
  return ordering;
}

function checkLength(ordering: readonly number[], dimensions: number): void {
  if (ordering.length === dimensions) return;
  throw new PipelineError('bad-request', {
    got: `${ordering.length} dimensions`,
    expected: `all ${dimensions} dimensions of the data`,
    where: 'ordering',
    remedy: 'Name every dimension once.',
  });
}

function checkSplit(split: string, facts: DatasetFacts, train: DatasetFacts): void {
  const refuse = (got: string, expected: string, remedy: string): never => {
    throw new PipelineError('bad-request', { got, expected, where: `${split} split`, remedy });
  };
  if (facts.rows === 0) refuse('no rows', 'at least one row', 'Give the split rows, or leave it out.');
  if (facts.dimensions !== train.dimensions) {
    const expected = `${train.dimensions}, as in the train split`;
    refuse(`${facts.dimensions} dimensions`, expected, 'Give splits of the same columns.');
  }
  const differing = facts.names?.findIndex((name, dim) => name !== (train.names?.[dim] ?? name)) ?? -1;
  if (differing >= 0) {
    const expected = `"${train.names![differing]!}", as in the train split`;
    const remedy = 'Put the columns of all splits in the same order.';
    refuse(`column "${facts.names![differing]!}" as number ${differing + 1}`, expected, remedy);
  }
}
