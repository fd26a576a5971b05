import {
  selectionMethods,
  summaryKeys,
  whichPredictors,
  type NetworkChoice,
  type SettledSpecification,
  type SelectionDocument,
  type PaperSelection,
  type SelectionMethod,
  type Summary,
  type VariantSummary,
} from '@orchard/contracts';
import type { BitMatrix } from '@orchard/dataset';
import type { HeldOutGains, JudgedGains, Network } from '@orchard/model';
import { log, sumOf } from '@orchard/numerics';
import type { PathFacts, ReportFacts, RunFacts, SampleFacts } from './facts.js';
import { nearestRows } from './nearest-rows.js';
import type { Reported } from './reported.js';
import { formatCount } from './text.js';

/** Samples drawn: a full grid of images in rows of five or six, or lines that fit a screen. */
const IMAGE_SAMPLES = 30;
const LINE_SAMPLES = 16;

/** Everything that a report is about. */
export interface FinishedRun extends Reported {
  readonly runId: string;
  readonly specification: SettledSpecification;
  readonly choice: NetworkChoice;
  readonly summary: Summary;
  /** The paper's, and that of the network. */
  readonly selections: Readonly<
    Record<PaperSelection, SelectionDocument> & Partial<Record<SelectionMethod, SelectionDocument>>
  >;
  /** The network of `choice`. */
  readonly network: Network;
  /** How much its conditionals gain on held-out rows. */
  readonly judged: JudgedGains;
  /**
   * Stored dimension whose importances are drawn.
   *
   * @default the middle of an image, else the one the network says most about
   */
  readonly dimension?: number | undefined;
}

/** The facts that a run's report is drawn from. O(samples x training rows x D / 32). */
export function describeRun(run: FinishedRun): ReportFacts {
  const { choice, summary, selections, splits, network, judged } = run;
  const { train, valid, test } = splits;
  const { dimensions, shape } = train;
  const trees = Array.from(selections[choice.selection]!.rounds);
  const { gain, beyondNoise } = judged.gains;
  const independentLoss = independentLossOf(judged.rates, judged.split === 'test' ? test! : valid);
  const explained = run.dimension ?? dimensionToExplain(shape, judged.gains);
  const positions = new Array<number>(dimensions);
  network.ordering.forEach((dim, position) => {
    positions[dim] = position;
  });
  return {
    title:
      run.title ??
      (shape === null
        ? `A network of ${formatCount(dimensions)} dimensions`
        : `A network of ${String(shape[0])} × ${String(shape[1])} images`),
    warnings: (summary.warnings ?? []).map(({ message }) => message),
    run: describeSettings({ ...run, names: network.names }),
    tuned: summary.tuned ?? null,
    dataset: {
      sha256: summary.dataset.sha256,
      dimensions,
      shape,
      rows: { train: train.rows, valid: valid.rows, test: test?.rows ?? null },
      independentLogLikelihood: -sumOf(independentLoss),
    },
    selections: selectionMethods.flatMap((method) => {
      const figures = summary.selections[summaryKeys[method]];
      if (figures === undefined) return [];
      return {
        name: method,
        trees: figures.trees,
        rounds: method === 'common' ? summary.selections.common.rounds : null,
        train: figures.trainLogLikelihood,
        valid: figures.validLogLikelihood,
        test: figures.testLogLikelihood,
        refitTest: figures.refit?.testLogLikelihood ?? null,
      };
    }),
    chosen: { name: choice.selection, refit: choice.refit },
    path: describePath(selections, choice.selection, train.rows, valid.rows),
    dimensions: {
      names: train.names,
      trees,
      loss: independentLoss.map((loss, dim) => loss - gain[dim]!),
      independentLoss,
      beyondNoise,
      neededEvidence: judged.gains.needed,
      heldOut: judged.split,
      beforeRefit: judged.beforeRefit,
    },
    samples: drawSamples(network, train, run.specification.seed, shape === null ? LINE_SAMPLES : IMAGE_SAMPLES),
    importance: { dimension: explained, shares: network.importanceOf(explained, judged.gains), positions },
  };
}

/** What each dimension loses if only its rate in the training rows is known. */
function independentLossOf(rates: ArrayLike<number>, heldOut: BitMatrix): number[] {
  return Array.from(heldOut.columnCounts(), (ones, dim) => {
    const rate = rates[dim]!;
    const share = ones / heldOut.rows;
    return -(share * log(rate) + (1 - share) * log(1 - rate));
  });
}

/**
 * The pixel in the middle of an image (paper, figure 3), else the dimension that the others predict best beyond noise.
 */
function dimensionToExplain(
  shape: readonly [number, number] | null,
  { gain, beyondNoise }: Pick<HeldOutGains, 'gain' | 'beyondNoise'>,
): number {
  if (shape !== null) return (Math.ceil(shape[0] / 2) - 1) * shape[1] + Math.ceil(shape[1] / 2) - 1;
  const isTold = beyondNoise.includes(1);
  let most = -1;
  gain.forEach((value, dim) => {
    if (isTold && beyondNoise[dim] === 0) return;
    if (most < 0 || value > gain[most]!) most = dim;
  });
  return most;
}

/** The path of the chosen selection, or the linearized one where that has none. */
function describePath(
  selections: FinishedRun['selections'],
  chosen: SelectionMethod,
  trainRows: number,
  validRows: number,
): PathFacts | null {
  const method = selections[chosen]!.path === null ? 'linearized' : chosen;
  const { path } = selections[method]!;
  if (path === null) return null;
  const train = path.train.map((sum) => sum / trainRows);
  const valid = path.valid.map((sum) => sum / validRows);
  const at = path.chosen;
  return {
    method,
    isOfNetwork: method === chosen,
    trees: path.trees,
    train,
    valid,
    chosen: { trees: path.trees[at]!, train: train[at]!, valid: valid[at]! },
  };
}

function drawSamples(network: Network, train: BitMatrix, seed: number, count: number): SampleFacts {
  const rows = network.sample(count, seed);
  const nearest = nearestRows(rows, train);
  return {
    rows,
    nearest: train.selectRows(nearest.map(({ row }) => row)),
    distances: nearest.map(({ distance }) => distance),
    seed,
  };
}

/** The settings of a run, in words. */
export function describeSettings({
  runId,
  specification,
  choice,
  sources = [],
  summary,
  names = null,
}: Pick<FinishedRun, 'runId' | 'specification' | 'choice' | 'sources'> & {
  /** Of the dimensions. */
  readonly names?: readonly string[] | null;
  readonly summary?: { readonly variant?: VariantSummary | undefined };
}): RunFacts {
  const { ordering, seed, numericsVersion } = specification;
  const leading = (dims: readonly number[]): string => dims.map((dim) => names?.[dim] ?? String(dim + 1)).join(', ');
  return {
    id: runId,
    settings: [
      ...sources.map(([split, source]) => [`${split} rows from`, source] as const),
      [
        'selection',
        `${choice.selection}${choice.refit === 'again' ? ', trained again on training and validation rows with the rounds that validation rows chose' : choice.refit ? ', refitted on training and validation rows' : ''}`,
      ],
      ...describeTraining(specification, summary?.variant),
      [
        'ordering',
        ordering === 'natural' ? 'as stored' : `${leading(ordering.slice(0, 8))}${ordering.length > 8 ? ', …' : ''}`,
      ],
      ['seed', String(seed)],
      ['numerics version', String(numericsVersion)],
    ],
  };
}

const startNames = { half: 'odds of 1', 'base-rate': 'base rate', logistic: 'logistic regression' } as const;

/** With the penalties of logistic starts, and how many columns have each, or the columns that others predict. */
function describeStart(start: keyof typeof startNames, { logistic, exclusive }: VariantSummary): string {
  if (exclusive !== undefined) return `${startNames[start]}, ${describeExclusive(exclusive)}`;
  if (logistic === undefined) return startNames[start];
  const penalties = logistic.penalties.map(({ penalty, columns }) => `${String(penalty)} in ${formatCount(columns)}`);
  return `${startNames[start]}, ${formatCount(logistic.weights)} weights; penalties (λ in so many columns): ${penalties.join(', ') || 'none'}`;
}

function describeExclusive({ columns, chance }: NonNullable<VariantSummary['exclusive']>): string {
  if (chance === null) return 'and no exclusive columns found';
  return `and ${formatCount(columns)} columns decided by exclusive ones before them, all but a chance of ${chance.toExponential(1)}`;
}

/** How the trees of each dimension are trained. */
function describeTraining(
  specification: SettledSpecification,
  variant: VariantSummary | undefined,
): [string, string][] {
  const {
    leaves,
    rounds,
    shrinkage,
    gradients,
    dropout,
    start,
    minLeafWeight,
    maxLeafValue,
    l2,
    pseudoCount,
    criterion,
  } = specification;
  const { featureFraction, patience, maxPredictors, nearPredictors, rowsPerTree } = specification;
  if (pseudoCount !== undefined) {
    return [
      [
        'each dimension',
        `a single tree of at most ${formatCount(leaves)} leaves; its splits are called trees and rounds`,
      ],
      ['grown by the gain in', criterion === 'likelihood' ? 'likelihood' : 'Brier score'],
      ['added to both counts of a leaf', String(pseudoCount)],
    ];
  }
  const unless = (off: number | null, value: number | null): string => (value === off ? 'off' : String(value));
  return [
    ['leaves of a tree', String(leaves)],
    ['rounds', String(rounds)],
    ['shrinkage', String(shrinkage)],
    ...whereSaid('gradients', gradients, () => 'first order (gradient boosting)'),
    ...whereSaid(
      'dropout',
      dropout,
      (chance) => `${String(chance)}: chance of each earlier tree to be left out by a round (DART)`,
    ),
    ['start', describeStart(start, variant ?? {})],
    ['minimum leaf weight', unless(0, minLeafWeight)],
    ['maximum leaf value', unless(null, maxLeafValue)],
    ['l2', unless(0, l2)],
    ['feature fraction', unless(1, featureFraction)],
    ...whereSaid('rows of a tree', rowsPerTree, (rows) => `${formatCount(rows)}, drawn for each`),
    ['patience', unless(0, patience)],
    ...whereSaid(
      'predictors',
      maxPredictors,
      (most) => `at most ${formatCount(most)}, ${whichPredictors({ most, near: nearPredictors })}`,
    ),
  ];
}

/** The line of a setting that most runs do not say. */
function whereSaid<Value>(
  name: string,
  value: Value | undefined,
  inWords: (value: Value) => string,
): [string, string][] {
  return value === undefined ? [] : [[name, inWords(value)]];
}
