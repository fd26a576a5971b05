import {
  baseSpecificationSchema,
  familyOf,
  parseContract,
  runIdOf,
  type BaseSpecification,
  type DatasetFacts,
} from '@orchard/contracts';
import { columnsIn } from '@orchard/dataset';
import { NUMERICS_VERSION } from '@orchard/numerics';
import { isRefusal } from '@orchard/refusal';
import type { ObjectStore } from '@orchard/storage';
import { artefactNames } from './artefact-names.js';
import { datasetFacts } from './datasets.js';
import { PipelineError } from './errors.js';
import { documentBytes, readDocument } from './documents.js';
import { isLearnedBy, type Family } from './family.js';

/** The splits that a run trains on, validates with, and reports on. */
export interface RunDatasets {
  readonly train: DatasetFacts;
  readonly valid: DatasetFacts;
  readonly test: DatasetFacts | null;
}

/** A run that the store knows. */
export interface Run<Specification extends BaseSpecification = BaseSpecification> {
  readonly id: string;
  readonly family: string;
  readonly specification: Specification;
  readonly datasets: RunDatasets;
}

/**
 * Stores the specification (the same again does no harm) and opens the run. The data sets are to be there already.
 *
 * @param known see {@link describeRun}
 * @throws PipelineError `damaged-artefact` where other bytes have the specification's name, which is its hash
 */
export async function createRun(
  store: ObjectStore,
  specification: BaseSpecification,
  known?: RunDatasets,
): Promise<Run> {
  const run = await describeRun(store, specification, known);
  const name = artefactNames.specification(run.id);
  try {
    await store.put(name, documentBytes(specification));
  } catch (cause) {
    if (!isRefusal(cause, 'conflict')) throw cause;
    const remedy = 'Repair the run: its specification is stored again.';
    const expected = `the specification of run ${run.id}`;
    throw new PipelineError('damaged-artefact', { got: 'other bytes', expected, where: name, remedy }, { cause });
  }
  return run;
}

/** @throws PipelineError `missing-artefact` for a run or data set that is not in the store, `damaged-artefact` */
export async function openRun(store: ObjectStore, runId: string): Promise<Run> {
  const name = artefactNames.specification(runId);
  const specification = await readDocument(store, name, baseSpecificationSchema);
  const id = runIdOf(specification);
  if (id === runId) return describeRun(store, specification);
  throw new PipelineError('damaged-artefact', {
    got: `the specification of run ${id}`,
    expected: `that of run ${runId}`,
    where: name,
    remedy: 'Delete this run and submit it again.',
  });
}

/** Refuses to mix two versions of the arithmetic in one run. @throws PipelineError `other-numerics` */
export function requireSameNumerics({ id, specification: { numericsVersion } }: Run): void {
  if (numericsVersion === NUMERICS_VERSION) return;
  throw new PipelineError('other-numerics', {
    got: `a run of numerics version ${numericsVersion}`,
    expected: `version ${NUMERICS_VERSION}, which this program computes`,
    where: `run ${id}`,
    remedy: 'Submit the run anew, or finish it with the program that began it.',
  });
}

/**
 * The run that a specification is, whether it is stored or not.
 *
 * @param known the facts of its data sets, where the caller has read them
 * @throws PipelineError `missing-artefact` for its data sets
 */
export async function describeRun(store: ObjectStore, given: BaseSpecification, known?: RunDatasets): Promise<Run> {
  const specification = parseContract(baseSpecificationSchema, given, 'run specification');
  const datasets = known ?? (await factsOfSplits(store, specification));
  return { id: runIdOf(specification), family: familyOf(specification), specification, datasets };
}

/** What is known of the splits that are named. @throws PipelineError `missing-artefact` */
export async function factsOfSplits(
  store: ObjectStore,
  { train, valid, test }: { train: string; valid: string; test: string | null },
): Promise<RunDatasets> {
  const [training, validation, testing] = await Promise.all([
    datasetFacts(store, train),
    datasetFacts(store, valid),
    test === null ? null : datasetFacts(store, test),
  ]);
  return { train: training, valid: validation, test: testing };
}

/** @throws PipelineError `bad-request` where the splits do not fit together, or the family does not learn such rows */
export function checkSplits(datasets: RunDatasets, family: Pick<Family, 'learns'> = {}): void {
  if (!isLearnedBy(family, datasets.train))
    throw new PipelineError('bad-request', { ...notLearned[columnsIn(datasets.train).kind], where: 'train split' });
  for (const [split, facts] of Object.entries(datasets) as [string, DatasetFacts | null][]) {
    if (facts !== null) checkSplit(split, facts, datasets.train);
  }
}

const notLearned = {
  bits: {
    got: 'rows of bits',
    expected: 'a table: rows with variables',
    remedy: 'Use another model for rows of 0 and 1, or read the file as a table.',
  },
  table: {
    got: 'a table, whose bits are codes of its variables',
    expected: 'rows of bits',
    remedy: 'Use a model of tables, such as tables.',
  },
} as const;

function checkSplit(split: string, facts: DatasetFacts, train: DatasetFacts): void {
  const refuse = (got: string, expected: string, remedy: string): never => {
    throw new PipelineError('bad-request', { got, expected, where: `${split} split`, remedy });
  };
  if (facts.rows === 0) refuse('no rows', 'at least one row', 'Give the split rows, or leave it out.');
  if (facts.dimensions !== train.dimensions) {
    const expected = `${train.dimensions}, as in the train split`;
    refuse(`${facts.dimensions} dimensions`, expected, 'Give splits of the same columns.');
  }
  if (JSON.stringify(facts.table) !== JSON.stringify(train.table))
    refuse('another table', 'the variables of the train split', 'Encode all splits by the table of the training rows.');
  const differing = facts.names?.findIndex((name, dim) => name !== (train.names?.[dim] ?? name)) ?? -1;
  if (differing >= 0) {
    const expected = `"${train.names![differing]!}", as in the train split`;
    const remedy = 'Put the columns of all splits in the same order.';
    refuse(`column "${facts.names![differing]!}" as number ${differing + 1}`, expected, remedy);
  }
}
