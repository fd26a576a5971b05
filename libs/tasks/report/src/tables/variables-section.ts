import { section } from '../section.js';
import { formatCount, formatFigure, formatGain, formatShare } from '../text.js';
import { BEYOND_NOISE, isBeyondNoise } from './beyond-noise.js';
import { dataText } from './data-text.js';
import { judgedRows, sumOfLosses } from './headline-section.js';
import type { RowsFacts, VariableFacts } from './table-facts.js';

/** Lines of the table; what is left out is said under it. */
const MOST_LINES = 400;
const LABELS_NAMED = 4;

export function variablesSection(facts: RowsFacts): string {
  const { variables, leftOut, heldOut, rows, chosenByValidation } = facts;
  const widest = Math.max(...variables.map(({ ownCodeLoss }) => ownCodeLoss), 1e-9);
  const lines = variables
    .slice(0, MOST_LINES)
    .map((variable) => line(variable, widest, rows.train))
    .join('');
  const more = variables.length - MOST_LINES;
  const rest =
    more > 0
      ? `<p class="note">${formatCount(more)} more variables are left out of this table; the sums are of all.</p>`
      : '';
  const all = `<tr class="sum"><th scope="row">all together</th><td data-label="values"></td><td data-label="missing"></td>${losses(sumOfLosses(variables, 'loss'), sumOfLosses(variables, 'ownLoss'))}<td data-label="predicted by others"></td></tr>`;
  const caution =
    heldOut === 'test' || chosenByValidation === null
      ? ''
      : chosenByValidation.isByMembers === true
        ? ` The losses are the mean of single members, each on the fold that chose ${chosenByValidation.what}, before the refit; the model that gains and outliers below come from has learned from all but one fold.`
        : ` These rows chose ${chosenByValidation.what}; the losses are ${chosenByValidation.isBeforeRefit ? 'those before the refit, ' : ''}a little too low.`;
  const isMixed = variables.some(({ position }) => position === null);
  const tellers = isMixed
    ? 'other columns, in each member by those before it in its own ordering. '
    : 'columns before it in the ordering, and only by these: the first has none. ';
  const key = `<div class="key"><span><i class="block predicted"></i>predicted by ${isMixed ? 'other columns' : 'the columns before it'}</span><span><i class="block noise"></i>noise, as far as this model sees</span></div>`;
  return section(
    'The variables: what others predict, and what is noise',
    `What a value costs on the ${judgedRows(facts)} rows in nats, in the model and on its own. The green part of a bar is predicted by ${isMixed ? 'other columns' : 'the columns before it'}.`,
    `${key}<div class="across variables"><table class="selections"><thead><tr><th scope="col">variable</th><th scope="col">values</th><th scope="col">missing</th><th scope="col">loss</th><th scope="col">on its own</th><th scope="col">gain</th><th scope="col" class="bar-head">predicted by others</th></tr></thead><tbody>${lines}${all}</tbody></table></div>${rest}${leftOutList(leftOut)}`,
    `On its own a value costs what knowing only how often its column has it leaves (its entropy). The bar is as long as that entropy, of cells where the column has a density; its green part is predicted by ${tellers}` +
      `Grey or pale parts do not gain beyond ${String(BEYOND_NOISE)} standard errors. A loss below 0 is that of a density above 1.${caution}`,
  );
}

function line(variable: VariableFacts, widest: number, rows: number): string {
  const { name, holes, position, loss, ownLoss, ownCodeLoss } = variable;
  const gain = ownLoss - loss;
  const isTold = isBeyondNoise(variable);
  const predicted = gain > 0 && position !== 0 && ownCodeLoss > 0 ? Math.min(1, gain / ownCodeLoss) : 0;
  const absent = rows + holes === 0 || holes === 0 ? 'none' : formatShare(holes / rows);
  const place = position === 0 ? ' <span class="note">first of the ordering</span>' : '';
  const bar = `<span class="predicted" style="--length:${(ownCodeLoss / widest).toFixed(4)};--predicted:${predicted.toFixed(4)}"><i></i></span><b>${formatShare(predicted)}</b>`;
  return (
    `<tr><th scope="row">${dataText(name)}${place}</th><td class="values" data-label="values"><span>${valuesOf(variable)}</span></td>` +
    `<td data-label="missing"${holes === 0 ? ' class="none"' : ''}>${absent}</td>${losses(loss, ownLoss, isTold)}<td class="bar${isTold ? '' : ' unsure'}" data-label="predicted by others">${bar}</td></tr>`
  );
}

function losses(loss: number, ownLoss: number, isTold = true): string {
  const gain = `<td data-label="gain"${isTold ? '' : ' class="flattered"'}>${formatGain(ownLoss - loss, 3)}</td>`;
  return `<td data-label="loss">${formatFigure(loss, 3)}</td><td data-label="on its own">${formatFigure(ownLoss, 3)}</td>${gain}`;
}

function valuesOf({ kind, measure, scale, values, steps, count }: VariableFacts): string {
  if (kind === 'ordered') {
    const what = scale ?? 'numbers';
    const how =
      measure === 'mass'
        ? `${formatCount(count)} distinct ${what}`
        : `${what} in ${formatCount(count)} cells (density)`;
    const [least, greatest] = values;
    const range = least === greatest ? dataText(least!) : `${dataText(least!)} to ${dataText(greatest!)}`;
    return `${how}<small>${range}${steps === null ? '' : ` ${dataText(steps)}`}</small>`;
  }
  const named = values.slice(0, LABELS_NAMED).map((label) => dataText(label, 20));
  const more = count - named.length;
  const list = `${named.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`;
  return `${kind === 'binary' ? 'two labels' : `${formatCount(count)} label${count === 1 ? '' : 's'}`}<small>${list}</small>`;
}

function leftOutList(leftOut: RowsFacts['leftOut']): string {
  if (leftOut.length === 0) return '';
  const items = leftOut
    .slice(0, MOST_LINES)
    .map(({ name, why }) => `<li>${dataText(name)}: ${dataText(why, 200)}</li>`)
    .join('');
  const more = leftOut.length - MOST_LINES;
  const rest = more > 0 ? `<li>${formatCount(more)} more</li>` : '';
  return `<h3>Columns of the file that are not in the model</h3><ul class="left-out">${items}${rest}</ul>`;
}
