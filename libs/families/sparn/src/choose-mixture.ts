import { mixtureOf } from '@orchard/members';
import type { DensityModel } from '@orchard/model';
import { headOf, judgedModel, type Run, type Splits } from '@orchard/pipeline';
import { membersOf } from './network/mixed-members.js';
import type { TriedMixture } from './network/components-section.js';
import type { ObjectStore } from '@orchard/storage';
import { choosePenalty, type ChosenPenalty } from './choose-penalty.js';
import type { PartDocument } from './mixed-documents.js';
import { bestStepOf, partsOf, type BestStep } from './mixed-steps.js';
import { mixtureOptions } from './sparn-run.js';

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

/** K and step by which the validation rows are likeliest, of equal ones the fewest components; and the model of them. */
export async function chooseMixture(store: ObjectStore, run: Run, splits: Splits): Promise<Ending> {
  const { components } = mixtureOptions(run);
  const single = components[0] === 1 ? await choosePenalty(store, run, splits) : null;
  const tried: TriedMixture[] = [];
  const bests: (BestStep | null)[] = [];
  if (single !== null) {
    const { penalty, weights, valid } = single.tried.reduce((most, one) => (one.valid > most.valid ? one : most));
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
  const chosen = tried.reduce((most, { valid }, at) => (valid > tried[most]!.valid ? at : most), 0);
  const best = bests[chosen];
  // only of one component there is no step; of several the best is the best of its K
  if (best === null || best === undefined) return { model: single!.model, single, tried, chosen, parts: null };
  const parts = await partsOf(store, run, best);
  const members = membersOf(parts, splits.train, (component) => ({ runId: run.id, component }));
  const { specification } = headOf(run, splits.train, { chosen: tried[chosen] });
  const weights = Float64Array.from(best.weights);
  const model = judgedModel((likelihoods) => mixtureOf({ members, weights, specification, likelihoods }), splits);
  return { model, single, tried, chosen, parts };
}
