import type { ReportFacts } from './facts.js';
import { escapeHtml } from './text.js';

/** What to know before the figures are believed; nothing where there is nothing. */
export function warningsSection({ warnings }: Pick<ReportFacts, 'warnings'>): string {
  if (warnings.length === 0) return '';
  const items = warnings.map((warning) => `<li>${escapeHtml(warning)}</li>`).join('');
  return `<section class="warnings"><h2>${warnings.length === 1 ? 'A warning' : 'Warnings'}</h2><ul>${items}</ul></section>`;
}
