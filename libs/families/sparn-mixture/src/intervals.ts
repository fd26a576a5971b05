import { fitClasses, type RowShares } from '@orchard/logistic';
import type { Run } from '@orchard/pipeline';
import { Gate, Interval, weightsOfColumns, weightsOfComponents } from '@orchard/sparse-network';
import type { GateDocument, MixedStep, PartDocument, StepDocument } from './mixed-documents.js';
import type { SortedSplits } from './sorted-splits.js';
import { mixtureOptions, sparnSpecification } from './sparn-specification.js';
import { weightsDocument } from './weights-documents.js';

/** Smaller λ of a gate are not gone to after so many that the validation rows' shares like less than one before. */
const MOST_WORSE = 2;
/** Of a gate: half as long as 0.01 (5 s, not 10 s, of 64 columns and 10 components of ocr_letters, two λ). */
const TOLERANCE = 0.05;

/** Columns from the first to before `end`. */
export interface Bounds {
  readonly first: number;
  readonly end: number;
}

/** The intervals of a run, of sizes as equal as can be; all columns where it has none. */
export function intervalsOf(run: Run): readonly Bounds[] {
  const { dimensions } = run.datasets.train;
  const { intervals } = mixtureOptions(run);
  const endOf = (at: number): number => Math.floor((at * dimensions) / intervals);
  return Array.from({ length: intervals }, (_, at) => ({ first: endOf(at), end: endOf(at + 1) }));
}

/** The columns that a step is about. */
export function boundsOf(run: Run, { interval = 0 }: MixedStep): Bounds {
  return intervalsOf(run)[interval]!;
}

/**
 * The mixture of an interval, by the weights of its columns.
 *
 * @param before the step whose shares these were learned from
 */
export function intervalOf(parts: PartDocument, { first }: Bounds, before: StepDocument): Interval {
  const { gate: told, weights } = before;
  const gate = told === undefined ? Gate.ofWeights(weights) : new Gate(first, weightsOfColumns(told.scores));
  return new Interval(gate, weightsOfComponents(parts, first));
}

/**
 * The gate of an interval: a multi-class logistic regression (thesis 5.4, step 4) of the training rows' shares, by that
 * λ under which the shares that the validation rows have are likeliest, of equal ones the largest. @returns null where
 * it was cancelled; undefined where nothing comes before
 */
export function fitGate(
  run: Run,
  { train, valid }: SortedSplits,
  { first }: Bounds,
  shares: RowShares,
  validShares: RowShares,
  isCancelled: () => boolean,
): GateDocument | null | undefined {
  if (first === 0) return undefined;
  const { penalty, interceptScaling } = sparnSpecification(run);
  let best: GateDocument | null = null;
  let worse = 0;
  const path = fitClasses(train, first, shares, penalty, { interceptScaling, tolerance: TOLERANCE }, isCancelled);
  for (const own of penalty) {
    const { value } = path.next();
    // cancelled on the way
    if (value === undefined) return null;
    const nats = new Gate(first, weightsOfColumns(value)).natsOf(valid.matrix, validShares);
    if (best === null || nats > best.valid) {
      best = { penalty: own, valid: nats, scores: value.map(weightsDocument) };
      worse = 0;
    } else if (++worse === MOST_WORSE) break;
  }
  return best;
}
