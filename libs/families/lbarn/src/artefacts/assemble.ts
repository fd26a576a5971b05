import { ensembleAfter, roundsOf, startTreesOf } from '@orchard/logitboost';
import {
  summaryKeys,
  summarySchema,
  type NetworkChoice,
  type PaperSelection,
  type RunWarning,
  type SelectionFigures,
  type SelectionMethod,
  type Summary,
  type VariantSummary,
} from '@orchard/contracts';
import {
  concatenateTrees,
  emptyEnsemble,
  Network,
  roundedEnsemble,
  untold,
  type Ensemble,
  type JsonValue,
  type Likelihoods,
} from '@orchard/model';
import { sumOf } from '@orchard/numerics';
import type { ObjectStore } from '@orchard/storage';
import {
  concurrently,
  datasetInSummary,
  fileInSummary,
  documentBytes,
  isMissing,
  loadSplits,
  meanLogLikelihood,
  parseDocument,
  PipelineError,
} from '@orchard/pipeline';
import { lbarnNames } from './artefacts.js';
import { decodeConditional } from './conditional-codec.js';
import type { LbarnRun } from '../run/lbarn-run.js';
import { planRefit, refittedName, stageOf, type RefitPlan } from '../training/refit-dimension.js';
import { readSelections, type Selections } from '../selection/select-rounds.js';
import { describeVariant, type LogisticStart, type Starts } from '../run/describe-variant.js';
import { warningsOf } from '../run/warnings.js';

export interface Assembled {
  /** The network file. */
  readonly network: Uint8Array;
  /** What it holds. */
  readonly model: Network;
  readonly summary: Summary;
  /** `summary.json`. */
  readonly summaryBytes: Uint8Array;
}

/** Conditionals being read at once: each may be megabytes. */
const readsAtOnce = 8;

/**
 * Makes one network of a run, of the trees that a selection chose, and its summary, and stores both: the network first.
 * Where both are stored they are read. Again, or twice at once, it stores the same bytes.
 *
 * @throws PipelineError `missing-artefact` where the run is not that far, `damaged-artefact`
 */
export async function assemble(store: ObjectStore, run: LbarnRun, choice: NetworkChoice): Promise<Assembled> {
  const networkName = lbarnNames.network(run, choice);
  const summaryName = lbarnNames.summary(run, choice);
  const found = await Promise.all([store.head(networkName), store.head(summaryName)]);
  if (!found.includes(null)) {
    const [network, summaryBytes] = await Promise.all([store.get(networkName), store.get(summaryName)]);
    const summary = parseDocument(summaryBytes, summaryName, summarySchema);
    return { network, model: Network.from(network), summary, summaryBytes };
  }
  const selections = await readSelections(store, run, choice.selection).catch((error: unknown) => {
    throw isMissing(error) ? notThatFar(run) : error;
  });
  const plan = choice.refit ? planRefit(Object.values(selections)) : null;
  const trained = await readTrained(store, run, selections, plan, choice);
  const figures = figuresOf(run, selections, trained.refitNats);
  const model = await networkOf(store, run, choice, trained.ensembles);
  const network = model.toBytes();
  const warnings = await warningsOf(store, run, selections);
  const variant = describeVariant(run, trained.starts);
  const { test } = model.likelihoods;
  const summary = summaryOf(run, choice, { selections, figures, network, test, warnings, variant });
  const summaryBytes = documentBytes(summary);
  await store.put(networkName, network);
  await store.put(summaryName, summaryBytes);
  return { network, model, summary, summaryBytes };
}

type Figures = Record<PaperSelection, SelectionFigures> & { readonly pooled?: SelectionFigures };

function figuresOf(run: LbarnRun, selections: Selections, refitNats: Trained['refitNats']): Figures {
  const { train, valid, test } = run.datasets;
  const figures = Object.values(selections).map((selection): [SelectionMethod, SelectionFigures] => [
    selection.method,
    {
      trees: selection.trees,
      trainLogLikelihood: selection.trainLogLikelihood / train.rows,
      validLogLikelihood: selection.validLogLikelihood / valid.rows,
      testLogLikelihood: mean(selection.testLogLikelihood, test?.rows),
      refit: refitNats && { testLogLikelihood: mean(knownSumOf(refitNats.get(selection.method)!), test?.rows) },
    },
  ]);
  return Object.fromEntries(figures) as Figures;
}

function mean(sum: number | null, rows: number | undefined): number | null {
  return sum === null || rows === undefined ? null : sum / rows;
}

function summaryOf(
  run: LbarnRun,
  choice: NetworkChoice,
  {
    selections,
    figures,
    network,
    test: testLogLikelihood,
    warnings,
    variant,
  }: {
    readonly selections: Selections;
    readonly figures: Figures;
    readonly network: Uint8Array;
    readonly test: number | null;
    readonly warnings: readonly RunWarning[];
    readonly variant: VariantSummary | null;
  },
): Summary {
  return summarySchema.parse({
    runId: run.id,
    dataset: datasetInSummary(run),
    selections: {
      ...Object.fromEntries(
        Object.entries(figures).map(([method, figure]) => [summaryKeys[method as SelectionMethod], figure]),
      ),
      common: { ...figures.common, rounds: selections.common.commonRounds! },
    },
    network: {
      ...fileInSummary(network),
      selection: choice.selection,
      refit: choice.refit,
      testLogLikelihood,
    },
    warnings,
    ...(variant !== null && { variant }),
    // the networks of members are reported by their mixture
    ...(run.tuned !== null && run.of === null && { tuned: run.tuned }),
  });
}

/** In the order of the stored dimensions; null without test rows. */
function knownSumOf(nats: Float64Array): number | null {
  const sum = sumOf(nats);
  return Number.isNaN(sum) ? null : sum;
}

/** What a network is made of. */
interface Trained {
  /** The chosen trees, rounded, by ordering position. */
  readonly ensembles: readonly Ensemble[];
  /**
   * Of each selection, what the refitted trees say of the test rows, by stored dimension; NaN where there are no such
   * rows. Null without a refit.
   */
  readonly refitNats: ReadonlyMap<SelectionMethod, Float64Array> | null;
  readonly starts: Starts;
}

/**
 * Reads every conditional once, or what came of its rounds on all rows. What the network does not need of it is let go
 * as soon as it is read: the other trees, the curves, and the digits that its file does not hold.
 */
async function readTrained(
  store: ObjectStore,
  run: LbarnRun,
  selections: Selections,
  plan: RefitPlan | null,
  choice: NetworkChoice,
): Promise<Trained> {
  const { rounds } = selections[choice.selection]!;
  const methods = Object.values(selections);
  const refitNats =
    plan && new Map(methods.map(({ method }) => [method, new Float64Array(run.ordering.length).fill(NaN)]));
  const starts = { logistic: [] as LogisticStart[], exclusive: [] as number[] };
  const ensembles = await concurrently(Array.from(run.ordering), readsAtOnce, async (dimension, position) => {
    const name =
      plan === null ? lbarnNames.conditional(run, dimension) : refittedName(run, stageOf(choice)!, plan, dimension);
    const stored = decodeConditional(await store.get(name), name);
    const trees = rounds[dimension]!;
    if (stored.dimension === dimension && stored.position === position && trees <= roundsOf(stored)) {
      const { test } = stored.curves;
      if (refitNats !== null && test !== null)
        for (const own of methods) refitNats.get(own.method)![dimension] = test[own.rounds[dimension]!]!;
      if (stored.startPenalty !== undefined) {
        starts.logistic.push({ penalty: stored.startPenalty, weights: startTreesOf(stored) });
      }
      if (stored.exclusiveChance !== undefined) starts.exclusive.push(stored.exclusiveChance);
      const prefix = ensembleAfter(stored, trees);
      // a copy: the prefix is a view of all that was read
      return roundedEnsemble(concatenateTrees(prefix, emptyEnsemble(prefix.startOdds)));
    }
    throw new PipelineError('damaged-artefact', {
      got: `${roundsOf(stored)} rounds of dimension ${stored.dimension} at position ${stored.position}`,
      expected: `at least ${trees} of dimension ${dimension} at position ${position}`,
      where: name,
      remedy: 'Delete this artefact and run again.',
    });
  });
  return { ensembles, refitNats, starts };
}

/**
 * The network of rounded trees, with what it is itself worth: the curves are those of the trees before they were
 * rounded.
 */
async function networkOf(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  trained: readonly Ensemble[],
): Promise<Network> {
  const { names, shape } = run.datasets.train;
  const parts = {
    ordering: run.ordering,
    names,
    shape,
    ensembles: trained,
    specification: {
      runId: run.id,
      ...plainSpecification(run),
      ...(run.of !== null && { of: { ...run.of } }),
      ...(run.fold !== null && { fold: { ...run.fold } }),
      selection: choice.selection,
      refit: choice.refit,
    },
  };
  const likelihoods = await likelihoodsOf(store, run, choice, new Network({ ...parts, likelihoods: untold }));
  return new Network({ ...parts, likelihoods });
}

/** Of training and validation rows only where the network has not seen the latter. */
async function likelihoodsOf(
  store: ObjectStore,
  run: LbarnRun,
  { refit }: NetworkChoice,
  network: Network,
): Promise<Likelihoods> {
  const { train, valid, test } = await loadSplits(store, run);
  const seesValidation = refit !== false;
  return {
    train: seesValidation ? null : meanLogLikelihood(network, train),
    valid: seesValidation ? null : meanLogLikelihood(network, valid),
    test: test && meanLogLikelihood(network, test),
  };
}

/** A specification as its file holds it: what is optional is there or not, and never undefined. */
export function plainSpecification({ specification }: LbarnRun): Readonly<Record<string, JsonValue>> {
  return specification as unknown as Readonly<Record<string, JsonValue>>;
}

function notThatFar(run: LbarnRun): PipelineError {
  const remedy = 'Train all dimensions and select first.';
  return new PipelineError('missing-artefact', {
    got: 'no selections',
    expected: 'all four',
    where: `run ${run.id}`,
    remedy,
  });
}
