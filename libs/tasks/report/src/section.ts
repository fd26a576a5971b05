/**
 * One section of the page: a sentence or two, then pictures. All are markup.
 *
 * @param more what only some want to know, folded away: a picture comes before six lines
 */
export function section(title: string, explained: string, body: string, more = ''): string {
  return `<section><h2>${title}</h2><p class="note">${explained}</p>${body}${folded('How to read this', more)}</section>`;
}

/** Paragraphs behind a line that opens them; nothing where there is none. */
export function folded(summary: string, paragraph: string): string {
  if (paragraph === '') return '';
  return `<details class="more"><summary>${summary}</summary><p class="note">${paragraph}</p></details>`;
}
