import type { NetworkChoice } from '@orchard/contracts';
import type { ReportOptions } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lbarnNames } from '../artefacts/artefacts.js';
import type { LbarnRun } from '../run/lbarn-run.js';
import { mix, type Mixed } from './mix.js';

/** The mixture, its summary, and last the report, with which a mixture is complete where one is wanted. */
export async function mixWithReport(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  withReport: boolean,
): Promise<void> {
  const mixed = await mix(store, run, choice);
  if (withReport) await store.put(lbarnNames.report(run, choice), Buffer.from(await draw(run, mixed), 'utf8'));
}

/** The page about a mixture: a function of the run, the choice and what it is to be called. */
export async function reportOfMembers(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  options: ReportOptions = {},
): Promise<string> {
  return draw(run, await mix(store, run, choice, options.held?.model), options);
}

async function draw(run: LbarnRun, mixed: Mixed, { title, sources, cells }: ReportOptions = {}): Promise<string> {
  const { model, summary, splits } = mixed;
  // the drawing libraries take longer to load than most tasks to run
  const { reportOnMembers } = await import('@orchard/report');
  const { id: runId, specification } = run;
  return reportOnMembers({ runId, specification, model, summary, splits, title, sources, cells });
}
