import { loadSplits } from '@orchard/pipeline';
import type { ObjectStore } from '@orchard/storage';
import type { VariableFigures } from './assemble.js';
import { describeTable } from './reporting/describe-table.js';
import type { TableModel } from './table-model.js';
import type { TablesRun } from './tables-run.js';

/** The page about a table's model: a function of the run alone. */
export async function reportOnTable(
  store: ObjectStore,
  run: TablesRun,
  model: TableModel,
  variables: readonly VariableFigures[],
): Promise<string> {
  const { renderTableReport } = await import('@orchard/report');
  return renderTableReport(describeTable({ run, model, variables, splits: await loadSplits(store, run) }));
}
