import { PAGE_SEAL_BYTES, sealedPage } from '@orchard/contracts';
import type { ReportLabels } from '../report-labels.js';

/**
 * A report with one more section: what the training was told by a file of options. It is added here for every kind of model, since no run
 * knows where its words came from.
 */
export function reportWithOptions(report: string, configured: ReportLabels['configured']): string {
  if (configured === undefined || Object.keys(configured.words).length === 0) return report;
  const page = report.slice(0, -PAGE_SEAL_BYTES);
  const end = page.lastIndexOf('<footer>');
  return sealedPage(`${page.slice(0, end)}${sectionOn(configured)}\n${page.slice(end)}`);
}

function sectionOn({ file, words }: NonNullable<ReportLabels['configured']>): string {
  const rows = Object.entries(words).map(
    ([flag, text]) => `<dt>${escaped(flag)}</dt><dd>${text === null ? 'given' : escaped(text)}</dd>`,
  );
  const explained = 'When it was trained, a file gave these options; the command line gave the others, or nobody did.';
  return `<section><h2>Options of ${escaped(file)}</h2><p class="note">${explained}</p><dl>${rows.join('')}</dl></section>`;
}

// not of the library of reports, which takes longer to load than most commands to run
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
