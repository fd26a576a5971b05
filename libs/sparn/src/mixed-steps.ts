import { fitMixedPath, mixedDesignOf, type RowShares, type SortedRows } from '@orchard/logistic';
import { log, Purpose, RandomStream } from '@orchard/numerics';
import { concurrently, type Run } from '@orchard/pipeline';
import { membersOf, sharesBy, weightsOf } from '@orchard/sparse-network';
import type { ObjectStore } from '@orchard/storage';
import { Tellers } from './grid-neighbours.js';
import {
  partDocument,
  readPart,
  readStep,
  sharesDocument,
  type MixedStep,
  type PartDocument,
  type StepDocument,
} from './mixed-documents.js';
import { sharesByProducts } from './shares-by-products.js';
import { mixtureOptions, sparnSpecification } from './sparn-run.js';

const readsAtOnce = 8;
/** EM ends where a step makes the validation rows likelier by less, nats a row. */
const LEAST_GAIN = 1e-3;

export interface SortedSplits {
  readonly train: SortedRows;
  readonly valid: SortedRows;
}

/** What the `share` task of a step stores. */
export interface StepEnd {
  readonly step: StepDocument;
  readonly shares: ReturnType<typeof sharesDocument>;
}

/** The weights of a column under each λ, for all components. @returns null where it was cancelled */
export function fitPart(
  run: Run,
  { train }: SortedSplits,
  column: number,
  rowShares: RowShares,
  penalties: readonly number[],
  isCancelled: () => boolean,
): PartDocument | null {
  const { interceptScaling } = sparnSpecification(run);
  const tellers = new Tellers(run, column);
  const design = tellers.among(mixedDesignOf(train, column, rowShares));
  const fitted = [];
  const path = fitMixedPath(design, penalties, mixtureOptions(run).tying, { interceptScaling });
  for (const weights of path) {
    if (isCancelled()) return null;
    fitted.push(tellers.columnsOf(weights));
  }
  return partDocument(fitted);
}

/** Step 0: how a mixture of products shares the rows out. @returns null where it was cancelled */
export function beginWithProducts(
  run: Run,
  { train, valid }: SortedSplits,
  components: number,
  isCancelled: () => boolean,
): StepEnd | null {
  const stream = new RandomStream(mixtureOptions(run).seed, Purpose.restart, 0);
  const begun = sharesByProducts(train.matrix, valid.matrix, components, stream, isCancelled);
  if (begun === null) return null;
  const weights = Array.from(weightsOf(begun.shares));
  const next = sparnSpecification(run).penalty;
  return { step: { tried: [], best: -1, valid: begun.valid, weights, next }, shares: sharesDocument(begun.shares) };
}

/** All columns of a step have their weights: which λ is best, and how the rows are shared out by it. @returns null where it was cancelled */
export async function endStep(
  store: ObjectStore,
  run: Run,
  { train, valid }: SortedSplits,
  of: MixedStep,
  isCancelled: () => boolean,
): Promise<StepEnd | null> {
  const { components, step } = of;
  const { dimensions } = run.datasets.train;
  const before = await readStep(store, run.id, { components, step: step - 1 });
  const columns = Array.from({ length: dimensions }, (_, column) => column);
  const parts = await concurrently(columns, readsAtOnce, (column) => readPart(store, run.id, of, column));
  const variables = { dimensions, names: null, shape: null };
  const logWeights = before.weights.map(log);
  const tried: StepDocument['tried'] = [];
  let best = 0;
  for (const [at, penalty] of before.next.entries()) {
    if (isCancelled()) return null;
    const own = parts.map((part) => part[at]!);
    const members = membersOf(own, variables);
    const { logs } = sharesBy(components, valid.matrix.rows, (h) =>
      members[h]!.logLikelihood(valid.matrix).map((nats) => nats + logWeights[h]!),
    );
    tried.push({
      penalty,
      shared: own.reduce((sum, { weights }) => sum + weights.length, 0),
      own: own.reduce((sum, part) => sum + part.own.weights.length, 0),
      valid: logs.reduce((sum, nats) => sum + nats, 0) / valid.matrix.rows,
    });
    if (tried[at]!.valid > tried[best]!.valid) best = at;
  }
  const found = tried[best]!;
  const members = membersOf(
    parts.map((part) => part[best]!),
    variables,
  );
  const { shares } = sharesBy(components, train.matrix.rows, (h) =>
    members[h]!.logLikelihood(train.matrix).map((nats) => nats + logWeights[h]!),
  );
  const { penalty } = sparnSpecification(run);
  const place = penalty.indexOf(found.penalty);
  const isLast = step >= mixtureOptions(run).steps || (step > 1 && found.valid - before.valid < LEAST_GAIN);
  return {
    step: {
      tried,
      best,
      valid: found.valid,
      weights: Array.from(weightsOf(shares)),
      // λ may move by one place a step
      next: isLast ? [] : penalty.slice(Math.max(0, place - 1), place + 2),
    },
    shares: sharesDocument(shares),
  };
}

/** The step of K components by which the validation rows are likeliest, of equal ones the first. */
export interface BestStep extends MixedStep {
  readonly document: StepDocument;
  /** Of the components while its columns were learned. */
  readonly weights: readonly number[];
}

/** All steps that are stored from 1 on. */
export async function bestStepOf(
  store: ObjectStore,
  run: string,
  components: number,
): Promise<{ readonly best: BestStep; readonly steps: readonly StepDocument[] }> {
  const steps: StepDocument[] = [];
  let best: BestStep | null = null;
  let before = await readStep(store, run, { components, step: 0 });
  for (let step = 1; before.next.length > 0; step++) {
    const document = await readStep(store, run, { components, step });
    steps.push(document);
    if (best === null || document.valid > best.document.valid)
      best = { components, step, document, weights: before.weights };
    before = document;
  }
  return { best: best!, steps };
}

/** The networks of a step, by the λ that was best. */
export async function partsOf(store: ObjectStore, run: Run, of: BestStep): Promise<PartDocument> {
  const columns = Array.from({ length: run.datasets.train.dimensions }, (_, column) => column);
  const { best } = of.document;
  return concurrently(columns, readsAtOnce, async (column) => (await readPart(store, run.id, of, column))[best]!);
}
