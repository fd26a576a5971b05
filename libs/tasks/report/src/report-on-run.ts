import { bitSections } from './bits-sections.js';
import { describeRun, type FinishedRun } from './describe-run.js';
import { renderReport } from './render-report.js';

/** `report.html` of a run's network: the same bytes for the same run and choice, wherever it is written. */
export function reportOnRun(run: FinishedRun): string {
  // what decides each dimension is a section of its own here
  const sections = bitSections({ model: run.network, splits: run.splits }, { predictors: false });
  return renderReport(describeRun(run), sections);
}
