import { PAGE_SEAL_BYTES, sealedPage } from '@orchard/contracts';
import type { ReportLabels } from './report-labels.js';

/**
 * A report with a section more for the options that training and selection took from a file, and for what a budget of
 * time chose. They are added here for every kind of model, since no run knows where its words came from.
 */
export function reportWithOptions(report: string, { configured, chosen, budget }: ReportLabels): string {
  const sections = [
    budget === undefined ? '' : `<section><h2>Budget of time</h2>${budget.map(paragraph).join('')}</section>`,
    sectionOn(
      configured,
      'When it was trained, a file gave these options; the command line gave the others, or they had their defaults.',
    ),
    sectionOn(chosen, 'When this one of its models was asked for, a file gave these options.'),
  ].filter((section) => section !== '');
  if (sections.length === 0) return report;
  const page = report.slice(0, -PAGE_SEAL_BYTES);
  const end = page.lastIndexOf('<footer>');
  return sealedPage(`${page.slice(0, end)}${sections.join('\n')}\n${page.slice(end)}`);
}

function sectionOn(said: ReportLabels['configured'], explained: string): string {
  if (said === undefined || Object.keys(said.words).length === 0) return '';
  const rows = Object.entries(said.words).map(
    ([flag, text]) => `<dt>${escaped(flag)}</dt><dd>${text === null ? 'given' : escaped(text)}</dd>`,
  );
  return `<section><h2>Options of ${escaped(said.file)}</h2><p class="note">${explained}</p><dl>${rows.join('')}</dl></section>`;
}

function paragraph(text: string): string {
  return `<p class="note">${escaped(text)}</p>`;
}

// not of the library of reports, which takes longer to load than most commands to run
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
