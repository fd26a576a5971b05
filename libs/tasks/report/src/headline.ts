import { folded } from './section.js';

/** A figure, and what it is in at most {@link LONGEST_CAPTION} letters: one line, on a phone too. */
export type Figure = readonly [figure: string, caption: string];

export const LONGEST_CAPTION = 40;

/**
 * The three figures at the top of a page, all markup.
 *
 * @param explained what they leave open, folded away under them
 */
export function headline(figures: readonly [Figure, Figure, Figure], explained: string): string {
  const tiles = figures
    .map(([figure, what], at) => `<div${at === 0 ? ' class="main"' : ''}><b>${figure}</b><span>${what}</span></div>`)
    .join('');
  return `<div class="figures">${tiles}</div><div class="under">${folded('How to read these figures', explained)}</div>`;
}
