import type { ReportFacts } from './facts.js';
import { bitSections, type BitSections } from './bits-sections.js';
import { describeRun, type FinishedRun } from './describe-run.js';
import { pathSection } from './path-section.js';
import { reportPage } from './report-page.js';
import { dimensionSection, headlineSection, importanceSection, runSection, sampleSection } from './sections.js';
import { selectionSection } from './selection-section.js';
import { formatCount } from './text.js';
import { tuningSection } from './tuning-section.js';
import { warningsSection } from './warnings-section.js';

/** The report of trees of rows of 0 and 1. @param others sections that reports on rows of any kind have */
export function renderReport(
  facts: ReportFacts,
  { columns, rows }: Pick<BitSections, 'columns' | 'rows'> = { columns: [], rows: [] },
): string {
  const { dataset, title } = facts;
  return reportPage({
    kind: title,
    lead: `A forest for each of ${formatCount(dataset.dimensions)} dimensions, grown on ${formatCount(dataset.rows.train)} training rows.`,
    headline: headlineSection(facts),
    warnings: warningsSection(facts),
    samples: sampleSection(facts),
    own: [dimensionSection(facts), importanceSection(facts)],
    columns,
    rows,
    training: [pathSection(facts), selectionSection(facts), tuningSection(facts.tuned)],
    run: runSection(facts),
  });
}

/** `report.html` of a run's network: the same bytes for the same run and choice, wherever it is written. */
export async function reportOnRun(run: FinishedRun): Promise<string> {
  // what decides each dimension is a section of its own here
  const { network, splits, cells } = run;
  const sections = await bitSections({ model: network, splits, cells }, { predictors: false });
  return renderReport(describeRun(run), sections);
}
