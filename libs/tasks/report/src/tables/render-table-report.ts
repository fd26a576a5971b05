import { reportPage } from '../report-page.js';
import { formatCount } from '../text.js';
import { warningsSection } from '../warnings-section.js';
import { drawsSection } from './draws-section.js';
import { tableHeadline } from './headline-section.js';
import { tableRunSection } from './run-section.js';
import { firstSections, sectionsAbout } from './sections-of-rows.js';
import type { TableFacts } from './table-facts.js';

/** The report of a table. @param own what only the model's family can show: markup */
export function renderTableReport(facts: TableFacts, own: readonly string[] = []): string {
  const { title, variables, rows } = facts;
  const count = variables.length;
  return reportPage({
    title,
    kind: `A table of ${count === 1 ? '1 variable' : `${formatCount(count)} variables`}`,
    lead: `One joint density of all columns, grown on ${formatCount(rows.train)} training rows.`,
    headline: tableHeadline(facts),
    warnings: warningsSection(facts),
    first: firstSections(facts),
    samples: drawsSection(facts),
    own,
    columns: sectionsAbout('columns', facts, true),
    rows: sectionsAbout('rows', facts, true),
    predicted: sectionsAbout('predicted', facts, true),
    run: tableRunSection(facts),
  });
}
