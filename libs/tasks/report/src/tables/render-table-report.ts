import { renderPage } from '../page.js';
import { formatCount } from '../text.js';
import { warningsSection } from '../warnings-section.js';
import { associationsSection } from './associations-section.js';
import { copiesSection } from './copies-section.js';
import { drawsSection } from './draws-section.js';
import { tableHeadline } from './headline-section.js';
import { tableImportanceSection } from './importance-section.js';
import { marginalsSection } from './marginals-section.js';
import { oddRowsSection } from './odd-rows-section.js';
import { pairsSection } from './pairs-section.js';
import { tableRunSection } from './run-section.js';
import type { TableFacts } from './table-facts.js';
import { tableStyle } from './table-style.js';
import { variablesSection } from './variables-section.js';

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
  const first = [tableHeadline, warningsSection, pairsSection, tableImportanceSection, marginalsSection];
  const then = [associationsSection, drawsSection, oddRowsSection, copiesSection, variablesSection, tableRunSection];
  return renderPage({
    title: title ?? kind,
    lead: title === null ? lead : `${kind}. ${lead}`,
    style: tableStyle,
    sections: [...first.map((draw) => draw(facts)), ...own, ...then.map((draw) => draw(facts))],
  });
}
