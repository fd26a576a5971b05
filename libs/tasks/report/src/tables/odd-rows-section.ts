import { section } from '../section.js';
import { formatCount, formatFigure, formatGain } from '../text.js';
import { dataText } from './data-text.js';
import type { OddRowFacts, ReasonFacts, RowsFacts } from './table-facts.js';

/** Columns of a row that are written out. */
const CELLS_LISTED = 60;

export function oddRowsSection({ oddRows, heldOut }: RowsFacts): string {
  const title = `The most unusual ${heldOut} rows`;
  if (oddRows === null)
    return section(
      title,
      'This model says how likely a row is, and not how much each of its columns adds to that.',
      '',
    );
  const { rows, of, mean, shown } = oddRows;
  const some = rows < of ? ` ${formatCount(rows)} evenly spaced of ${formatCount(of)} rows were looked at.` : '';
  const seen =
    heldOut === 'test' ? '' : ' These rows may have chosen the model or trained it: where they have, it has seen them.';
  return section(
    title,
    `Those with the highest anomaly scores, and the columns that make them so; of equal rows the first.${some}${seen}`,
    `<ol class="odd">${shown.map((row) => oddRow(row, heldOut)).join('')}</ol>`,
    `A score is the nats by which the values of a row surprise more than is typical of their columns, summed. The mean log-probability is ${formatFigure(mean, 2)} nats; a row is numbered from 1 in the ${heldOut} rows. Numbers and dates are known by their cells: how far beyond the outermost one a value lies is not distinguished here. ` +
      'A column is a reason by its surprise: −log of its probability given the columns before it, less the mean of the column. Expected are the likeliest labels, or the middle 80 % of the values, out to the ends of their cells.',
  );
}

function oddRow({ row, score, nats, reasons, cells }: OddRowFacts, heldOut: string): string {
  const listed = cells
    .slice(0, CELLS_LISTED)
    .map(([name, value]) => `<dt>${dataText(name)}</dt><dd>${dataText(value, 80)}</dd>`)
    .join('');
  const more = cells.length - CELLS_LISTED;
  const rest = more > 0 ? `<p class="note">${formatCount(more)} more columns are left out.</p>` : '';
  return (
    `<li><h3>${heldOut} row ${formatCount(row)} <span class="note">score ${formatFigure(score, 2)}, ${formatFigure(nats, 2)} nats</span></h3>` +
    `<table class="selections reasons"><thead><tr><th scope="col">column</th><th scope="col">is</th><th scope="col">probability</th><th scope="col">of training rows</th><th scope="col">surprise</th><th scope="col">expected</th></tr></thead><tbody>${reasons.map(reason).join('')}</tbody></table>` +
    `<details><summary>all of the row</summary><dl>${listed}</dl>${rest}</details></li>`
  );
}

function reason({ name, value, probability, ownRate, surprise, expected }: ReasonFacts): string {
  const words = expected
    .map((each) => `<span>${dataText(each.value, 40)} <small>${formatChance(each.probability)}</small></span>`)
    .join(' ');
  return (
    `<tr><th scope="row">${dataText(name)}</th><td data-label="is"><strong>${dataText(value, 40)}</strong></td><td data-label="probability">${formatChance(probability)}</td>` +
    `<td data-label="of training rows">${formatChance(ownRate)}</td><td data-label="surprise">${formatGain(surprise, 1)} nats</td><td class="expected" data-label="expected"><span>${words}</span></td></tr>`
  );
}

/** A probability in words that small ones survive. */
function formatChance(probability: number): string {
  if (probability >= 0.0995) return `${(probability * 100).toFixed(0)} %`;
  if (probability >= 0.001) return `${(probability * 100).toFixed(probability >= 0.00995 ? 1 : 2)} %`;
  if (!(probability > 0)) return '0';
  if (probability < 1e-9) return 'below 1 in 10⁹';
  const oneIn = 1 / probability;
  // two digits suffice
  let power = 1;
  while (power * 100 <= oneIn) power *= 10;
  return `1 in ${formatCount(Math.round(oneIn / power) * power)}`;
}
