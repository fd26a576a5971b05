import type { BitMatrix } from '@orchard/dataset';
import { fitMixedPath, mixedDesignOf, type RowShares, type SortedRows } from '@orchard/logistic';
import { log, Purpose, RandomStream, sumOf } from '@orchard/numerics';
import { concurrently, type Run } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { membersOf, Predictors } from '@orchard/sparse-network';
import { type Bounds, boundsOf, fitGate, intervalOf } from './intervals.js';
import { type MixedStep, type PartDocument, readPart, readStep, type StepDocument } from './mixed-documents.js';
import { sharesBy, weightsOf } from './row-shares.js';
import { sharesByProducts } from './shares-by-products.js';
import type { SortedSplits } from './sorted-splits.js';
import { gridOf, mixtureOptions, sparnSpecification } from './sparn-specification.js';
import { mixedWeightsDocument, type SharesDocument, sharesDocument } from './weights-documents.js';

const readsAtOnce = 8;
/** EM ends where a step makes the validation rows likelier by less, nats per row. */
const LEAST_GAIN = 1e-3;

/** What the `share` task of a step stores. */
export interface StepEnd {
  readonly step: StepDocument;
  readonly shares: SharesDocument;
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
  const predictors = new Predictors(gridOf(run), column);
  const design = predictors.among(mixedDesignOf(train, column, rowShares));
  const fitted = [];
  const path = fitMixedPath(design, penalties, mixtureOptions(run).tying, { interceptScaling });
  for (const weights of path) {
    if (isCancelled()) return null;
    fitted.push(predictors.columnsOf(weights));
  }
  return fitted.map(mixedWeightsDocument);
}

/** Step 0: how a mixture of products shares the rows out. @returns null where it was cancelled */
export function beginWithProducts(
  run: Run,
  splits: SortedSplits,
  of: MixedStep,
  isCancelled: () => boolean,
): StepEnd | null {
  const bounds = boundsOf(run, of);
  const [train, valid] = [splits.train, splits.valid].map(({ matrix }) =>
    of.interval === undefined ? matrix : matrix.selectColumns(placesWithin(bounds)),
  ) as [BitMatrix, BitMatrix];
  const stream = new RandomStream(mixtureOptions(run).seed, Purpose.restart, of.interval ?? 0);
  const begun = sharesByProducts(train, valid, of.components, stream, isCancelled);
  if (begun === null) return null;
  const { shares } = begun;
  const gate = bounds.first === 0 ? undefined : fitGate(run, splits, bounds, shares, begun.validShares(), isCancelled);
  if (gate === null) return null;
  const weights = Array.from(weightsOf(shares));
  const next = sparnSpecification(run).penalty;
  const step = { tried: [], best: -1, valid: begun.valid, weights, next, ...(gate !== undefined && { gate }) };
  return { step, shares: sharesDocument(shares) };
}

/**
 * All columns of a step have their weights: which λ is best, and how the rows are shared out by it.
 *
 * @returns null where it was cancelled
 */
export async function endStep(
  store: ObjectStore,
  run: Run,
  splits: SortedSplits,
  of: MixedStep,
  isCancelled: () => boolean,
): Promise<StepEnd | null> {
  const { components, step } = of;
  const { train, valid } = splits;
  const bounds = boundsOf(run, of);
  const before = await readStep(store, run.id, { ...of, step: step - 1 });
  const parts = await concurrently(placesWithin(bounds), readsAtOnce, (column) => readPart(store, run.id, of, column));
  const sharesUnder = (at: number, { matrix }: SortedRows): ReturnType<typeof sharesBy> => {
    const own = parts.map((part) => part[at]!);
    return sharesBy(components, matrix.rows, jointOf(run, of, own, before, matrix));
  };
  const tried: StepDocument['tried'] = [];
  let best = 0;
  let validShares: RowShares | null = null;
  for (const [at, penalty] of before.next.entries()) {
    if (isCancelled()) return null;
    const own = parts.map((part) => part[at]!);
    const { logs, shares } = sharesUnder(at, valid);
    tried.push({
      penalty,
      shared: own.reduce((sum, { weights }) => sum + weights.length, 0),
      own: own.reduce((sum, part) => sum + part.own.weights.length, 0),
      valid: sumOf(logs) / valid.matrix.rows,
    });
    if (at > 0 && tried[at]!.valid <= tried[best]!.valid) continue;
    best = at;
    validShares = shares;
  }
  const found = tried[best]!;
  const { shares } = sharesUnder(best, train);
  const { penalty } = sparnSpecification(run);
  const place = penalty.indexOf(found.penalty);
  // a refit takes as many steps as were chosen: its validation rows are among those that it learns from
  const isOver = of.pooled !== true && step > 1 && found.valid - before.valid < LEAST_GAIN;
  const isLast = isOver || step >= mixtureOptions(run).steps;
  const gate = isLast ? undefined : fitGate(run, splits, bounds, shares, validShares!, isCancelled);
  if (gate === null) return null;
  return {
    step: {
      tried,
      best,
      valid: found.valid,
      weights: Array.from(weightsOf(shares)),
      // λ may move by one place a step
      next: isLast ? [] : penalty.slice(Math.max(0, place - 1), place + 2),
      ...(gate !== undefined && { gate }),
    },
    shares: sharesDocument(shares),
  };
}

/** Of each component log P(h) P(row | h) of the rows; of an interval that of its columns, given those before. */
function jointOf(
  run: Run,
  of: MixedStep,
  parts: PartDocument,
  before: StepDocument,
  matrix: BitMatrix,
): (component: number) => Float64Array {
  if (of.interval !== undefined) {
    const joint = intervalOf(parts, boundsOf(run, of), before).jointOf(matrix);
    return (h) => joint[h]!;
  }
  const members = membersOf(parts, { dimensions: run.datasets.train.dimensions, names: null, shape: null });
  const logWeights = before.weights.map(log);
  return (h) => members[h]!.logLikelihood(matrix).map((nats) => nats + logWeights[h]!);
}

function placesWithin({ first, end }: Bounds): readonly number[] {
  return Array.from({ length: end - first }, (_, at) => first + at);
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
  own: Omit<MixedStep, 'step'>,
): Promise<{ readonly best: BestStep; readonly steps: readonly StepDocument[] }> {
  const steps: StepDocument[] = [];
  let best: BestStep | null = null;
  let before = await readStep(store, run, { ...own, step: 0 });
  for (let step = 1; before.next.length > 0; step++) {
    const document = await readStep(store, run, { ...own, step });
    steps.push(document);
    if (best === null || document.valid > best.document.valid)
      best = { ...own, step, document, weights: before.weights };
    before = document;
  }
  return { best: best!, steps };
}

/** The networks of a step, by the λ that was best. */
export async function partsOf(store: ObjectStore, run: Run, of: BestStep): Promise<PartDocument> {
  const { best } = of.document;
  return concurrently(
    placesWithin(boundsOf(run, of)),
    readsAtOnce,
    async (column) => (await readPart(store, run.id, of, column))[best]!,
  );
}
