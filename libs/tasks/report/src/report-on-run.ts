import { describeRun, type FinishedRun } from './describe-run.js';
import { renderReport } from './render-report.js';

/** `report.html` of a run's network: the same bytes for the same run and choice, wherever it is written. */
export function reportOnRun(run: FinishedRun): string {
  return renderReport(describeRun(run));
}
