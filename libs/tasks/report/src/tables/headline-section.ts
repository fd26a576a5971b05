import { gainInWords } from '@orchard/model';
import { headline } from '../headline.js';
import { escapeHtml, formatCount, formatNats, formatNatsGain } from '../text.js';
import { shortened } from './data-text.js';
import type { RowsFacts, TableFacts, VariableFacts } from './table-facts.js';

const UNITS_NAMED = 6;

/** The figures of a table: how much likelier its values are than by their columns alone, and the log-likelihood. */
export function tableHeadline(facts: TableFacts): string {
  const { variables, rows, heldOut, chosenByValidation } = facts;
  const judged = judgedRows(facts);
  const densities = variables.filter(({ measure }) => measure === 'density');
  const masses = variables.filter(({ measure }) => measure === 'mass');
  const loss = sumOfLosses(variables, 'loss');
  const ownLoss = sumOfLosses(variables, 'ownLoss');
  const { train, valid, test } = rows;
  const explained = [
    `Of ${formatCount(train + valid + (test ?? 0))} rows ${formatCount(train)} trained, ${formatCount(valid)} validated${test === null ? '; there are no test rows' : `, ${formatCount(test)} tested`}.`,
    `A ${judged} row has ${formatNats(-loss)} nats, its log-likelihood, ${formatNatsGain(ownLoss - loss)} beside independent columns, which have the same cells and the rates of the training rows. The first figure is what that is for each value.`,
    cautionOf(heldOut, chosenByValidation),
    densities.length > 0 && masses.length > 0
      ? `${formatNats(-sumOfLosses(masses, 'loss'))} nats are log-probabilities (masses) of ${columns(masses)}, ${formatNats(-sumOfLosses(densities, 'loss'))} log-densities of ${columns(densities)}.`
      : '',
    unitsOf(densities),
  ].filter((text) => text !== '');
  const { figure, words } = gainInWords(ownLoss - loss, variables.length);
  return headline(
    [
      [figure === 'no' ? '0 %' : figure, `${words} by its column alone`],
      [formatNats(-loss), `nats per ${judged} row; alone ${formatNats(-ownLoss)}`],
      [`${formatCount(train)} × ${formatCount(variables.length)}`, 'training rows × columns'],
    ],
    explained.join(' '),
  );
}

/** Which rows the losses are of: members have folds of all rows, which each of them was not trained on. */
export function judgedRows({ heldOut, chosenByValidation }: RowsFacts): string {
  return heldOut === 'validation' && chosenByValidation?.isByMembers === true ? 'held-out' : heldOut;
}

/** What the validation rows chose makes their figures a little too good. */
function cautionOf(heldOut: TableFacts['heldOut'], chosen: TableFacts['chosenByValidation']): string {
  if (heldOut === 'test' || chosen === null) return '';
  if (chosen.isByMembers === true)
    return `The figures are the mean of single members, each on the fold that chose ${chosen.what}, before the refit.`;
  return `These rows chose ${chosen.what}, so the figures${chosen.isBeforeRefit ? ', of the model before the refit,' : ''} are a little too good.`;
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

export function sumOfLosses(variables: readonly VariableFacts[], figure: 'loss' | 'ownLoss'): number {
  return variables.reduce((sum, variable) => sum + variable[figure], 0);
}
