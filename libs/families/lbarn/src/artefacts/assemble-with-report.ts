import { summarySchema, type NetworkChoice } from '@orchard/contracts';
import type { Network } from '@orchard/model';
import { loadSplits, type ReportOptions } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { lbarnNames } from './artefacts.js';
import { assemble, type Assembled } from './assemble.js';
import { judgeRun } from '../run/judge-run.js';
import type { LbarnRun } from '../run/lbarn-run.js';
import { readSelections } from '../selection/select-rounds.js';

/** The network, its summary, and last the report, with which a network is complete where one is wanted. */
export async function assembleWithReport(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  withReport: boolean,
): Promise<void> {
  const assembled = await assemble(store, run, choice);
  const name = lbarnNames.report(run, choice);
  if (!withReport || (await store.head(name)) !== null) return;
  await store.put(name, Buffer.from(await drawReport(store, run, choice, assembled), 'utf8'));
}

/** The page about a network: a function of the run, the choice and what is said beside them. */
export async function reportOf(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  options: ReportOptions = {},
): Promise<string> {
  const { held } = options;
  const assembled =
    held === undefined
      ? await assemble(store, run, choice)
      : { model: held.model as Network, summary: summarySchema.parse(held.summary) };
  return drawReport(store, run, choice, assembled, options);
}

async function drawReport(
  store: ObjectStore,
  run: LbarnRun,
  choice: NetworkChoice,
  { model, summary }: Pick<Assembled, 'model' | 'summary'>,
  { title, sources, dimension, held, cells }: ReportOptions = {},
): Promise<string> {
  const selections = await readSelections(store, run, choice.selection);
  const splits = held?.splits ?? (await loadSplits(store, run));
  const judged = await judgeRun(store, run, choice, selections[choice.selection]!.rounds, splits, model);
  // the drawing libraries take longer to load than most tasks to run
  const { reportOnRun } = await import('@orchard/report');
  return reportOnRun({
    runId: run.id,
    specification: run.specification,
    choice,
    summary,
    selections,
    splits,
    network: model,
    judged,
    dimension,
    title,
    sources,
    cells,
  });
}
