import { bitSections } from './bits-sections.js';
import { describeRun, type FinishedRun } from './describe-run.js';
import { renderReport } from './render-report.js';

/** `report.html` of a run's network: the same bytes for the same run and choice, wherever it is written. */
export async function reportOnRun(run: FinishedRun): Promise<string> {
  // what decides each dimension is a section of its own here
  const { network, splits, cells } = run;
  const sections = await bitSections({ model: network, splits, cells }, { predictors: false });
  return renderReport(describeRun(run), sections);
}
