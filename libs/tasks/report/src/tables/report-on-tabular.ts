import { describeTable, type FinishedTable } from './describe-table.js';
import { renderTableReport } from './render-table-report.js';

interface FinishedTabular extends Pick<
  FinishedTable,
  'runId' | 'model' | 'splits' | 'chosenByValidation' | 'variables' | 'title' | 'sources' | 'cells'
> {
  readonly sections: readonly string[];
}

/** The page about a model of a table whose family has no page of its own. */
export async function reportOnTabular({ sections, ...finished }: FinishedTabular): Promise<string> {
  const { model, splits } = finished;
  const { train } = (model.specification ?? {}) as { readonly train?: string };
  const facts = await describeTable({
    ...finished,
    sha256: train ?? splits.train.contentHash(),
    settings: [['family', model.family], ...model.summary().facts],
  });
  return renderTableReport(facts, sections);
}
