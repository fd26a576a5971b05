import type { TabularModel, VariableFigures } from '@orchard/model';
import { loadSplits, type ReportOptions } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import { membersOf } from './members/member-run.js';
import { describeSettings } from './settings.js';
import type { TablesRun } from './tables-run.js';

export const chosenByValidation = { what: 'the rounds', isBeforeRefit: true } as const;

/** The page about a table's model: a function of the run, and of what it is called. */
export async function reportOnTable(
  store: ObjectStore,
  run: TablesRun,
  model: TabularModel,
  variables: readonly VariableFigures[],
  { title, sources, cells, held }: ReportOptions = {},
): Promise<string> {
  const { describeTable, renderTableReport } = await import('@orchard/report');
  const splits = held?.splits ?? (await loadSplits(store, run));
  const facts = { ...factsOf(run, variables), model, variables, splits, title, sources, cells };
  return renderTableReport(await describeTable(facts));
}

/** What its page says of a run beside the model. */
export function factsOf(run: TablesRun, variables: readonly VariableFigures[]) {
  return {
    runId: run.id,
    sha256: run.specification.train,
    settings: describeSettings(run, variables),
    chosenByValidation: { ...chosenByValidation, ...(membersOf(run) !== null && { isByMembers: true }) },
  };
}
