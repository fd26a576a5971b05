import { reportPage } from '../report-page.js';
import { section } from '../section.js';
import { escapeHtml, formatCount } from '../text.js';
import { warningsSection } from '../warnings-section.js';
import { shortened } from './data-text.js';
import { drawsSection } from './draws-section.js';
import { tableHeadline } from './headline-section.js';
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

function tableRunSection({ rows, variables, sources, settings, sha256, runId }: TableFacts): string {
  const { train, valid, test } = rows;
  const entries: readonly (readonly [string, string])[] = [
    ...sources.map(([split, source]) => [`${split} rows from`, source] as const),
    [
      'rows',
      `${formatCount(train)} training, ${formatCount(valid)} validation, ${test === null ? 'no' : formatCount(test)} test`,
    ],
    ['variables', formatCount(variables.length)],
    ...settings,
  ];
  const hashes = [
    ['training data', sha256],
    ['run', runId],
  ] as const;
  return section(
    'What was run, and on what',
    'The same data and the same settings give this page again, byte for byte, on any machine.',
    `<dl>${entries.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(shortened(value, 400))}</dd>`).join('')}${hashes
      .map(([name, value]) => `<dt>${name}</dt><dd class="hash">${escapeHtml(value)}</dd>`)
      .join('')}</dl>`,
  );
}
