import { section } from '../section.js';
import { escapeHtml, formatCount } from '../text.js';
import { shortened } from './data-text.js';
import type { TableFacts } from './table-facts.js';

export function tableRunSection({ rows, variables, sources, settings, sha256, runId }: TableFacts): string {
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
