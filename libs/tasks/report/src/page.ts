import { sealedPage } from '@orchard/contracts';
import { styleSheet } from './style.js';
import { escapeHtml } from './text.js';

const tree =
  '<svg viewBox="0 0 24 24" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round"><path d="M12 21v-6M12 15l-5-5M12 15l5-5M12 11V5"/><circle cx="12" cy="4" r="1.8" fill="currentColor"/><circle cx="6" cy="9" r="1.8" fill="currentColor"/><circle cx="18" cy="9" r="1.8" fill="currentColor"/></svg>';

/** What a page shows: texts are plain, sections are HTML. */
export interface Page {
  readonly title: string;
  readonly lead: string;
  /** Style that only this kind of page needs. @default none */
  readonly style?: string;
  readonly sections: readonly string[];
}

/**
 * One HTML file that asks nothing of any network, without scripts, readable in light, dark and print. The same content
 * gives the same bytes on every machine, sealed with their SHA-256.
 */
export function renderPage(page: Page): string {
  const title = escapeHtml(page.title);
  const lead = escapeHtml(page.lead);
  return sealedPage(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${title} · Orchard</title>
<style>${styleSheet}${page.style ?? ''}</style>
</head>
<body>
<main>
<header><div class="mark">${tree}Orchard</div><h1>${title}</h1><p class="lead">${lead}</p></header>
${page.sections.filter((text) => text !== '').join('\n')}
<footer>Numbers without a unit are counts; likelihoods are natural logarithms, mean over rows. Written by Orchard.</footer>
</main>
</body>
</html>
`);
}
