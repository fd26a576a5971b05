import { headOf, judgedModel, type Run, type Splits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { type Interval, SparnSequence } from '@orchard/sparse-network';
import type { TriedMixture } from './tried-mixture.js';
import { intervalOf, intervalsOf } from './intervals.js';
import { readStep } from './mixed-documents.js';
import { type BestStep, bestStepOf, partsOf } from './mixed-steps.js';
import type { ChosenInterval } from './sequence-section.js';
import { mixtureOptions } from './sparn-specification.js';

/** What a run with intervals ends in. */
export interface SequenceEnding {
  readonly model: SparnSequence;
  readonly intervals: readonly ChosenInterval[];
}

/**
 * Of every interval K and step by which the validation rows' values of it are likeliest, of equal ones the fewest
 * components: log P(row) is a sum over intervals, so that each may choose for itself.
 */
export async function chooseSequence(store: ObjectStore, run: Run, splits: Splits): Promise<SequenceEnding> {
  const { components } = mixtureOptions(run);
  const mixtures: Interval[] = [];
  const intervals: ChosenInterval[] = [];
  for (const [interval, bounds] of intervalsOf(run).entries()) {
    const tried: TriedMixture[] = [];
    let best: BestStep | null = null;
    let chosen = 0;
    for (const count of components) {
      const own = await bestStepOf(store, run.id, { components: count, interval });
      for (const [at, { tried: penalties, best: place }] of own.steps.entries()) {
        const { penalty, shared, own: ofOne, valid } = penalties[place]!;
        tried.push({ components: count, step: at + 1, penalty, shared, own: ofOne, valid });
      }
      if (best !== null && own.best.document.valid <= best.document.valid) continue;
      best = own.best;
      chosen = tried.findIndex(({ components: k, step }) => k === count && step === own.best.step);
    }
    const before = await readStep(store, run.id, { ...best!, step: best!.step - 1 });
    mixtures.push(intervalOf(await partsOf(store, run, best!), bounds, before));
    const { gate = null } = before;
    intervals.push({
      ...bounds,
      tried,
      chosen,
      gate: gate && {
        penalty: gate.penalty,
        weights: gate.scores.reduce((sum, { weights }) => sum + weights.length, 0),
      },
    });
  }
  const found = intervals.map(({ tried, chosen, gate }) => ({ ...tried[chosen], gate }));
  const head = headOf(run, splits.train, { chosen: found });
  const model = judgedModel((likelihoods) => new SparnSequence({ ...head, likelihoods }, mixtures), splits);
  return { model, intervals };
}
