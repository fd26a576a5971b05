import { join } from 'node:path';
import { columnsIn, rowLogDensities, type BitMatrix } from '@orchard/dataset';
import { answersOf, isBound, moments, type DensityModel } from '@orchard/model';
import { families } from '@orchard/registry';
import type { ResolvedRun } from '@orchard/pipeline';
import { isRefusal } from '@orchard/refusal';
import { interrupted, messageOf } from '../../output/errors.js';
import { listenForInterruption } from '../../output/interruption.js';
import { refuseOtherRun } from '../../run-folder/other-run.js';
import { duration, nats } from '../../output/figures.js';
import type { Terminal } from '../../output/terminal.js';
import type { Missing } from './choose-contenders.js';
import type { Entry } from './comparison-document.js';
import type { Contender } from './contenders.js';
import { trainContender, type TrainingRequest } from './train-contender.js';

export interface TrainAllRequest extends Pick<TrainingRequest, 'splits' | 'datasets' | 'labels' | 'threads'> {
  readonly runs: readonly { readonly contender: Contender; readonly resolved: ResolvedRun }[];
  /** In which each has its own. */
  readonly folder: string;
  /** Whether the folder is kept: reports are drawn then. */
  readonly isKept: boolean;
  readonly mayReplace: boolean;
}

/**
 * Trains the models one after the other, and has each say how likely the test rows are. One that fails does not stop
 * the others.
 *
 * @throws UsageError where a folder holds another run: nothing was written then; Refusal `interrupted`, `disk`
 */
export async function trainAll(
  request: TrainAllRequest,
  terminal: Terminal,
): Promise<{ readonly entries: readonly Entry[]; readonly failed: readonly Missing[] }> {
  const { runs, splits, datasets, folder, isKept, mayReplace, ...rest } = request;
  for (const { contender, resolved } of runs) {
    const coming = { runId: resolved.runId, specification: resolved.specification, datasets };
    await refuseOtherRun(join(folder, contender.folder), coming, { force: mayReplace, terminal });
  }
  const test = splits.test!;
  const shared = { ...rest, splits, datasets, withReport: isKept, shownWarnings: new Set<string>() };
  const entries: Entry[] = [];
  const failed: Missing[] = [];
  // between two trainings there is no other listener
  const interruption = listenForInterruption(() => undefined);
  try {
    for (const [at, { contender, resolved }] of runs.entries()) {
      if (interruption.signal.aborted) throw interrupted('');
      const { name } = contender;
      terminal.note(`orchard: model ${String(at + 1)} of ${String(runs.length)}, ${name}`);
      const own = join(folder, contender.folder);
      try {
        const { model, ...trained } = await trainContender({ ...shared, contender, resolved, folder: own }, terminal);
        const said = logLikelihoods(model, test);
        const { facts } = model.summary();
        const path = isKept ? own : null;
        entries.push({
          contender,
          name,
          nats: said,
          path,
          ...trained,
          answers: answersOf(model),
          facts,
          isBound: isBound(model),
          isExperimental: families.isExperimental(contender.family, columnsIn(datasets.train).kind),
        });
        terminal.note(
          `orchard: ${name}: ${isBound(model) ? 'at least ' : ''}${nats(moments(said).mean)} test nats, trained in ${duration(trained.seconds)}`,
        );
      } catch (error) {
        // what stops one of these ways stops all
        if (isRefusal(error, 'interrupted', 'disk', 'usage')) throw error;
        failed.push({ name, error });
        terminal.note(`orchard: ${name} is left out: ${messageOf(error)}`);
      }
    }
  } catch (error) {
    if (!isRefusal(error, 'interrupted')) throw error;
    throw interrupted(
      isKept
        ? `What is done is kept in ${folder}. Continue by the same command`
        : 'Nothing was kept: with --out DIR the same command goes on from where it was.',
    );
  } finally {
    interruption.dispose();
  }
  return { entries, failed };
}

/** Nats of each row, with its densities. */
function logLikelihoods(model: DensityModel, rows: BitMatrix): Float64Array {
  const said = model.logLikelihood(rows);
  const { nats: densities } = rowLogDensities(rows);
  return said.map((value, row) => value + densities[row]!);
}
