import { mixtureOf } from '@orchard/members';
import type { DensityModel } from '@orchard/model';
import { placeOfGreatest } from '@orchard/numerics';
import { headOf, judgedModel, type Run, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import {
  type BestStep,
  bestStepOf,
  mixtureOptions,
  type PartDocument,
  partsOf,
  type TriedMixture,
} from '@orchard/sparn-mixture';
import { membersOf } from '@orchard/sparse-network';
import { bestPenaltyOf, choosePenalty, type ChosenPenalty } from './choose-penalty.js';

/** What a run ends in. */
export interface Ending {
  readonly model: DensityModel;
  /** Of one component, each λ. */
  readonly single: ChosenPenalty | null;
  /** Of several, each K and step; with the λ that was best. One component is the first of them, where it was tried. */
  readonly tried: readonly TriedMixture[];
  /** Place among these. */
  readonly chosen: number;
  /** What components share and what not, where several were chosen. */
  readonly parts: PartDocument | null;
}

/** What was tried of one component and of several, and what the validation rows chose among it. */
export interface Choice extends Pick<Ending, 'tried' | 'chosen'> {
  /** The step that was chosen; null of one component. */
  readonly step: BestStep | null;
}

/** K and step by which the validation rows are likeliest, of equal ones the fewest components. */
export async function chooseAmong(store: ObjectStore, run: Run): Promise<Choice> {
  const { components } = mixtureOptions(run);
  const tried: TriedMixture[] = [];
  const bests: (BestStep | null)[] = [];
  if (components[0] === 1) {
    const single = await bestPenaltyOf(store, run);
    const { penalty, weights, valid } = single.tried[single.best]!;
    tried.push({ components: 1, step: 0, penalty, shared: 0, own: weights, valid });
    bests.push(null);
  }
  for (const count of components.filter((own) => own > 1)) {
    const { best, steps } = await bestStepOf(store, run.id, { components: count });
    steps.forEach((document, at) => {
      const { penalty, shared, own, valid } = document.tried[document.best]!;
      tried.push({ components: count, step: at + 1, penalty, shared, own, valid });
      bests.push(best.step === at + 1 ? best : null);
    });
  }
  const chosen = placeOfGreatest(tried.map(({ valid }) => valid));
  // of several the best is the best of its K
  return { tried, chosen, step: bests[chosen] ?? null };
}

/** The model of what the validation rows chose. */
export async function chooseMixture(store: ObjectStore, run: Run, splits: Splits): Promise<Ending> {
  const isSingle = mixtureOptions(run).components[0] === 1;
  const single = isSingle ? await choosePenalty(store, run, splits) : null;
  const { tried, chosen, step } = await chooseAmong(store, run);
  if (step === null) return { model: single!.model, single, tried, chosen, parts: null };
  const parts = await partsOf(store, run, step);
  const model = judgedModel(
    (likelihoods) => mixtureOfParts(run, splits, parts, step.weights, tried[chosen]!, likelihoods),
    splits,
  );
  return { model, single, tried, chosen, parts };
}

/** The components as networks, with their weights. */
export function mixtureOfParts(
  run: Run,
  { train }: Splits,
  parts: PartDocument,
  componentWeights: readonly number[],
  chosen: TriedMixture,
  likelihoods: DensityModel['likelihoods'],
): DensityModel {
  const members = membersOf(parts, train, (component) => ({ runId: run.id, component }));
  const { specification } = headOf(run, train, { chosen });
  return mixtureOf({ members, weights: Float64Array.from(componentWeights), specification, likelihoods });
}
