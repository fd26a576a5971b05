import { escapeHtml, formatCount, formatNats, formatNatsGain } from '../text.js';
import { shortened } from './data-text.js';
import type { TableFacts, VariableFacts } from './table-facts.js';

/** Units of densities that are named. */
const UNITS_NAMED = 6;

/** The figures of a table: the log-likelihood of its rows, and how much of it the columns have on their own. */
export function tableHeadline({ variables, rows, heldOut, chosenByValidation }: TableFacts): string {
  const densities = variables.filter(({ measure }) => measure === 'density');
  const masses = variables.filter(({ measure }) => measure === 'mass');
  const loss = sumOf(variables, 'loss');
  const gain = sumOf(variables, 'ownLoss') - loss;
  const caution =
    heldOut === 'test' || chosenByValidation === null
      ? ''
      : chosenByValidation.isByMembers === true
        ? `: the mean of single members, each on the fold that chose ${chosenByValidation.what}, before the refit`
        : `, which chose ${chosenByValidation.what}${chosenByValidation.isBeforeRefit ? ', before the refit' : ''}: a little too good`;
  const tiles: [string, string][] = [
    [formatNats(-loss), `log-likelihood per row (nats) of the ${heldOut} rows${caution}`],
    [formatNatsGain(gain), 'nats per row more than independent columns'],
  ];
  if (densities.length > 0) {
    if (masses.length > 0)
      tiles.push([
        formatNats(-sumOf(masses, 'loss')),
        `of these nats are log-probabilities (masses) of ${columns(masses)}`,
      ]);
    tiles.push([formatNats(-sumOf(densities, 'loss')), `of these nats are log-densities of ${columns(densities)}`]);
  }
  const { train, valid, test } = rows;
  tiles.push([
    formatCount(train),
    `training rows; ${formatCount(valid)} validation, ${test === null ? 'no' : formatCount(test)} test`,
  ]);
  tiles.push([formatCount(variables.length), variables.length === 1 ? 'variable' : 'variables']);
  const figures = tiles
    .map(([figure, what], at) => `<div${at === 0 ? ' class="main"' : ''}><b>${figure}</b><span>${what}</span></div>`)
    .join('');
  return `<div class="figures">${figures}</div><p class="note under">${unitsOf(densities)} Independent columns have the same cells and the rates of the training rows.</p>`;
}

function unitsOf(densities: readonly VariableFacts[]): string {
  if (densities.length === 0) return 'All figures are those of probabilities: no column has a density.';
  const named = densities
    .slice(0, UNITS_NAMED)
    .map(({ name, unit, scale }) => {
      const short = escapeHtml(shortened(name, 30));
      return hasOwnUnit(scale) ? `<bdi>${short}</bdi> (per ${unit!})` : `<bdi>${short}</bdi>`;
    })
    .join(', ');
  const more = densities.length - UNITS_NAMED;
  const isAll = densities.every(({ scale }) => hasOwnUnit(scale));
  const units = isAll ? '' : ', each per unit in which the column is written';
  return (
    `Densities are those of ${named}${more > 0 ? ` and ${formatCount(more)} more` : ''}${units}. They depend on units and may be above 1; ` +
    'figures of two models can be compared where both have the same columns in the same units.'
  );
}

/** Units of numbers are those of their columns. */
function hasOwnUnit(scale: VariableFacts['scale']): boolean {
  return scale !== null && scale !== 'numbers';
}

function columns(variables: readonly VariableFacts[]): string {
  return variables.length === 1 ? '1 column' : `${formatCount(variables.length)} columns`;
}

export function sumOf(variables: readonly VariableFacts[], figure: 'loss' | 'ownLoss'): number {
  return variables.reduce((sum, variable) => sum + variable[figure], 0);
}
