import {
  attachSorted,
  designOf,
  fitPath,
  lossOf,
  sortRows,
  type RowShares,
  type SharedSorted,
} from '@orchard/logistic';
import {
  computationOfEnding,
  loadDataset,
  pooledRows,
  type ComputationContext,
  type Computations,
  type End,
  type Run,
  type Splits,
} from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import {
  beginWithProducts,
  chooseSequence,
  componentSections,
  endStep,
  fitPart,
  mixedNames,
  type MixedStep,
  gridOf,
  mixtureOptions,
  type PartDocument,
  readShares,
  readStep,
  sequenceSection,
  type SortedSplits,
  sparnSpecification,
  type StepEnd,
  weightSections,
} from '@orchard/sparn-mixture';
import { Predictors } from '@orchard/sparse-network';
import { chooseMixture, type Ending } from './choose-mixture.js';
import { penaltyFigures } from './choose-penalty.js';
import { pathDocument, type PathDocument } from './path-document.js';
import { gridEnding, isGrid } from './grid-run.js';
import { decide, type Decision, endingChosenBySome, refitSection, refittedEnding } from './refit.js';
import { loadTable, tableEnding, tablePath } from './table-run.js';

interface SharedSplits {
  readonly train: SharedSorted;
  readonly valid: SharedSorted;
}

/** The rows of a thread, and how they were shared out by the step that it was last asked about. */
class Desk {
  readonly splits: SortedSplits;
  #shares: { readonly name: string; readonly shares: RowShares; readonly next: readonly number[] } | null = null;

  constructor({ train, valid }: SharedSplits) {
    this.splits = { train: attachSorted(train), valid: attachSorted(valid) };
  }

  async sharesAfter(store: ObjectStore, run: string, of: MixedStep) {
    const name = mixedNames.shares(run, of);
    if (this.#shares?.name === name) return this.#shares;
    const shares = await readShares(store, run, of);
    const { next } = await readStep(store, run, of);
    this.#shares = { name, shares, next };
    return this.#shares;
  }
}

function deskOf({ data }: ComputationContext): Desk {
  return data((handle) => new Desk(handle as SharedSplits));
}

/** What a run ends in, of whole rows or of intervals. */
export const end: End = async (run, splits, store) => {
  if (isGrid(run)) return gridEnding(run, splits);
  if (splits.train.columns.table !== undefined) return tableEnding(store, run, splits);
  const { tying, intervals: count } = mixtureOptions(run);
  if (count > 1) {
    const { model, intervals } = await chooseSequence(store, run, splits);
    const sections = async () => [await sequenceSection(model, intervals)];
    return { model, figures: { sequence: { tying, intervals } }, sections };
  }
  const specification = sparnSpecification(run);
  const isRefitted = specification.refit === true;
  const chosen = await chosenEnding(store, run, splits);
  const { model, single, parts, tried } = chosen;
  return {
    model,
    figures: {
      ...(isRefitted && { refit: true }),
      ...(single !== null && penaltyFigures(single, specification)),
      ...mixtureFigures(run, tried, chosen.chosen),
    },
    sections: async () => {
      const weights = parts === null && single !== null ? await weightSections(single.model, single.tried) : [];
      const isMixed = tried.some(({ components }) => components > 1);
      return [
        ...(isRefitted ? [refitSection(specification)] : []),
        ...(isMixed ? await componentSections(chosen, tying) : []),
        ...weights,
      ];
    },
  };
};

async function chosenEnding(store: ObjectStore, run: Run, splits: Splits): Promise<Ending> {
  const { refit, choosers } = sparnSpecification(run);
  if (choosers !== undefined) return endingChosenBySome(store, run, splits);
  const found = await chooseMixture(store, run, splits);
  return refit === true ? refittedEnding(store, run, splits, found) : found;
}

/** What threads run for sparse autoregressive networks. */
export const computations = {
  /** Loads and sorts the rows that conditionals learn from, and those that choose λ. */
  load: async (
    { train, valid, isPooled }: { train: string; valid: string; isPooled: boolean },
    { store }: ComputationContext,
  ) => {
    const splits = { train: await loadDataset(store, train), valid: await loadDataset(store, valid) };
    return {
      train: sortRows(isPooled ? pooledRows(splits.train, splits.valid) : splits.train),
      valid: sortRows(splits.valid),
    };
  },

  /** Loads the codes of a table's rows. */
  loadTable,

  /** What the validation rows chose, for a refit. */
  decide: ({ run }: { run: Run }, { store }: ComputationContext): Promise<Decision> => decide(store, run),

  /** The conditional of a column under every λ. @returns null where the task was cancelled */
  path: ({ run, column }: { run: Run; column: number }, context: ComputationContext): PathDocument | null => {
    if (run.datasets.train.table !== undefined) return tablePath(run, column, context);
    const { train, valid } = deskOf(context).splits;
    const { penalty, interceptScaling } = sparnSpecification(run);
    const predictors = new Predictors(gridOf(run), column);
    const judged = predictors.among(designOf(valid, column));
    const steps = [];
    for (const fitted of fitPath(predictors.among(designOf(train, column)), penalty, { interceptScaling })) {
      if (context.isCancelled()) return null;
      steps.push({ outputs: [predictors.columnsOf(fitted)], valid: -lossOf(judged, fitted) });
    }
    return pathDocument(steps);
  },

  /**
   * How the rows are shared out by products (step 0), or after a step whose columns all have their weights.
   *
   * @returns null where it was cancelled
   */
  share: async ({ run, of }: { run: Run; of: MixedStep }, context: ComputationContext): Promise<StepEnd | null> => {
    const { splits } = deskOf(context);
    const isCancelled = () => context.isCancelled();
    return of.step === 0
      ? beginWithProducts(run, splits, of, isCancelled)
      : endStep(context.store, run, splits, of, isCancelled);
  },

  /** The weights of a column in a step, for all components. @returns null where it was cancelled */
  part: async (
    { run, of, column }: { run: Run; of: MixedStep; column: number },
    context: ComputationContext,
  ): Promise<PartDocument | null> => {
    const desk = deskOf(context);
    const { shares, next } = await desk.sharesAfter(context.store, run.id, { ...of, step: of.step - 1 });
    return fitPart(run, desk.splits, column, shares, next, () => context.isCancelled());
  },

  choose: computationOfEnding(end),
} satisfies Computations['functions'];

/** Of several components, where they were tried: each K and step. */
function mixtureFigures(run: Run, tried: Ending['tried'], chosen: number): Readonly<Record<string, unknown>> {
  if (tried.every(({ components }) => components === 1)) return {};
  const { tying } = mixtureOptions(run);
  return { mixture: { tying, chosen: tried[chosen], tried } };
}
