import type { ReportFacts } from './facts.js';
import { renderPage } from './page.js';
import { pathSection } from './path-section.js';
import { dimensionSection, headlineSection, importanceSection, runSection, sampleSection } from './sections.js';
import { selectionSection } from './selection-section.js';
import { formatCount } from './text.js';
import { tuningSection } from './tuning-section.js';
import { warningsSection } from './warnings-section.js';

/**
 * The report: one HTML file that asks nothing of any network, without scripts, readable in light, dark and print. The
 * same facts give the same bytes on every machine.
 */
export function renderReport(facts: ReportFacts): string {
  const { dataset } = facts;
  const lead = `A forest for each of ${formatCount(dataset.dimensions)} dimensions, grown on ${formatCount(dataset.rows.train)} training rows.`;
  // pictures before tables
  const sections = [
    headlineSection,
    warningsSection,
    sampleSection,
    dimensionSection,
    importanceSection,
    pathSection,
    selectionSection,
    ({ tuned }: ReportFacts) => tuningSection(tuned),
    runSection,
  ];
  return renderPage({ title: facts.title, lead, sections: sections.map((draw) => draw(facts)) });
}
