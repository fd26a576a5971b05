import { rampColour } from '../ramp.js';
import { section } from '../section.js';
import { escapeHtml, formatCount, formatFigure } from '../text.js';
import { dataText, shortened } from './data-text.js';
import type { AssociationFacts, PairFacts, RowsFacts } from './table-facts.js';

/**
 * Of a letter at most, in the figure's units: what fonts make of small letters, of capitals and of the widest differs
 * twofold.
 */
const LETTER = { usual: 5.9, capital: 7.7, wide: 11 } as const;
const NAME_LENGTH = 28;
/** Figures of this width are as wide as a phone shows them readably. */
const LEAST_WIDTH = 330;
const LEAST_CELL = 15;

export function associationsSection({ associations, variables }: RowsFacts): string {
  const { names, compared, groups, rows, strongest, missed } = associations;
  const title = 'Dependences: data beside samples';
  if (variables.length < 2) return '';
  const some = [
    compared < variables.length
      ? `Compared are the ${formatCount(compared)} variables that gain most, of ${formatCount(variables.length)}.`
      : '',
    names.length < compared
      ? `The matrix shows the ${formatCount(names.length)} with the strongest associations; ${formatCount(compared - names.length)} are left out of it.`
      : '',
  ].filter((text) => text !== '');
  const explained = `How much two columns say about each other, from 0 (nothing) to 1 (one decides the other).${some.map((text) => ` ${text}`).join('')}`;
  const more =
    `How much two columns say about each other, by their mutual information I in ${formatCount(rows.data)} training rows and in ${formatCount(rows.draws)} samples${rows.draws > rows.data ? ', taken in batches of as many rows and averaged' : ''}. ` +
    `Values are coarsened to at most ${String(groups)} groups: numbers and dates to equally frequent ones, labels to the most frequent and the rest. I has the correction of Miller and Madow for what chance would show on average, which is never taken below 0. ` +
    `The strength is √((1 − exp(−2 I)) / (1 − exp(−2 H))), H the smaller entropy of the two: 0 where they are independent, |r| for normal variables of correlation r, 1 where one determines the other.`;
  const legend = '<div class="ramp"><span>0</span><i class="leaf"></i><span>1</span></div>';
  const maps = `<div class="two matrices">${map(associations, 'data', 'Training rows')}${map(associations, 'draws', 'Samples of the model')}</div>`;
  const lists = `<div class="two">${pairList('Strongest in the data', strongest)}${pairList('Where samples miss the data most', missed)}</div>`;
  return section(title, explained, `${maps}${legend}${lists}`, more);
}

function map({ names, data, draws, rows }: AssociationFacts, which: 'data' | 'draws', caption: string): string {
  const strengths = which === 'data' ? data : draws;
  const size = names.length;
  const labels = names.map((name) => shortened(name, NAME_LENGTH));
  const room = Math.ceil(Math.max(...labels.map(widthOf))) + 10;
  const cell = Math.max(LEAST_CELL, Math.floor((LEAST_WIDTH - room) / size));
  const full = room + size * cell;
  const squares: string[] = [];
  for (let one = 0; one < size; one++)
    for (let other = 0; other < size; other++) {
      if (one === other) continue;
      const strength = strengths[one * size + other]!;
      squares.push(
        `<rect x="${String(room + other * cell)}" y="${String(room + one * cell)}" width="${String(cell)}" height="${String(cell)}" fill="${rampColour('leaf', strength)}"><title>${escapeHtml(`${shortened(names[one]!)} and ${shortened(names[other]!)}: ${formatFigure(strength, 2)}`)}</title></rect>`,
      );
    }
  const words = labels
    .map((label, at) => {
      const middle = (room + (at + 0.5) * cell + 3.5).toFixed(1);
      const text = escapeHtml(label);
      return `<text x="${String(room - 6)}" y="${middle}" text-anchor="end">${text}</text><text transform="translate(${middle} ${String(room - 6)}) rotate(-90)">${text}</text>`;
    })
    .join('');
  const drawing = `<svg role="img" viewBox="0 0 ${String(full)} ${String(full)}" style="min-width:${String(Math.round(full * 0.88))}px;max-width:${String(Math.round(full * 1.5))}px" aria-label="Associations of ${formatCount(size)} variables: ${caption}">${squares.join('')}${words}</svg>`;
  const hint = full * 0.88 > 300 ? ' hinted' : '';
  return `<figure class="matrix"><div class="across${hint}">${drawing}</div><figcaption>${caption} (${formatCount(rows[which])})</figcaption></figure>`;
}

/** The room that a name takes, whatever font there is. */
function widthOf(label: string): number {
  let width = 0;
  for (const letter of label)
    width += /[MWmw@%…—]|[^\0-\u10ff]/u.test(letter)
      ? LETTER.wide
      : /\p{Lowercase}|[\d .,:;'()[\]|!-]/u.test(letter)
        ? LETTER.usual
        : LETTER.capital;
  return width;
}

function pairList(title: string, pairs: readonly PairFacts[]): string {
  if (pairs.length === 0) return `<div><h3>${title}</h3><p class="note">There is none.</p></div>`;
  const lines = pairs
    .map(
      ({ one, other, data, draws, nats }) =>
        `<tr><th scope="row">${dataText(one, 24)} and ${dataText(other, 24)}</th><td>${formatFigure(data, 2)}</td><td>${formatFigure(draws, 2)}</td><td>${formatFigure(nats, 3)}</td></tr>`,
    )
    .join('');
  return `<div><h3>${title}</h3><table class="pairs-list"><thead><tr><th scope="col">pair</th><th scope="col">data</th><th scope="col">samples</th><th scope="col">I in nats</th></tr></thead><tbody>${lines}</tbody></table></div>`;
}
