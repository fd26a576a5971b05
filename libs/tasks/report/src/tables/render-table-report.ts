import { renderPage } from '../page.js';
import { formatCount } from '../text.js';
import { warningsSection } from '../warnings-section.js';
import { drawsSection } from './draws-section.js';
import { tableHeadline } from './headline-section.js';
import { tableRunSection } from './run-section.js';
import { firstSections, sectionsAbout } from './sections-of-rows.js';
import type { TableFacts } from './table-facts.js';
import { tableStyle } from './table-style.js';

/**
 * The report of a table: one HTML file that stands alone. The same facts give the same bytes on every machine.
 *
 * @param own what only the model's family can show: markup, after the pictures
 */
export function renderTableReport(facts: TableFacts, own: readonly string[] = []): string {
  const { title, variables, rows } = facts;
  const count = variables.length;
  const kind = `A table of ${count === 1 ? '1 variable' : `${formatCount(count)} variables`}`;
  const lead = `One joint density of all columns, grown on ${formatCount(rows.train)} training rows.`;
  return renderPage({
    title: title ?? kind,
    lead: title === null ? lead : `${kind}. ${lead}`,
    style: tableStyle,
    sections: [
      tableHeadline(facts),
      warningsSection(facts),
      ...firstSections(facts),
      ...own,
      ...sectionsAbout('columns', facts, true),
      drawsSection(facts),
      ...sectionsAbout('rows', facts, true),
      ...sectionsAbout('predicted', facts, true),
      tableRunSection(facts),
    ],
  });
}
