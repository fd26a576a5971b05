import type { ReportFacts } from './facts.js';
import { renderPage } from './page.js';
import { pathSection } from './path-section.js';
import { dimensionSection, headlineSection, importanceSection, runSection, sampleSection } from './sections.js';
import { selectionSection } from './selection-section.js';
import { tableStyle } from './tables/table-style.js';
import { formatCount } from './text.js';
import { tuningSection } from './tuning-section.js';
import { warningsSection } from './warnings-section.js';

/**
 * The report: one HTML file that asks nothing of any network, without scripts, readable in light, dark and print. The
 * same facts give the same bytes on every machine.
 *
 * @param columnsAndRows sections that reports on rows of any kind have: markup, after those of dimensions
 */
export function renderReport(facts: ReportFacts, columnsAndRows: readonly string[] = []): string {
  const { dataset } = facts;
  const lead = `A forest for each of ${formatCount(dataset.dimensions)} dimensions, grown on ${formatCount(dataset.rows.train)} training rows.`;
  // pictures before tables
  const sections = [
    ...[headlineSection, warningsSection, sampleSection, dimensionSection, importanceSection].map((draw) =>
      draw(facts),
    ),
    ...columnsAndRows,
    pathSection(facts),
    selectionSection(facts),
    tuningSection(facts.tuned),
    runSection(facts),
  ];
  return renderPage({ title: facts.title, lead, style: tableStyle, sections });
}
