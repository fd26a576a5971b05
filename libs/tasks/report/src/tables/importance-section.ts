import { section } from '../section.js';
import { formatCount, formatFigure, formatShare } from '../text.js';
import { dataText } from './data-text.js';
import { ROWS_TESTING } from './importance-facts.js';
import type { PredictedFacts, RowsFacts } from './table-facts.js';

/** What each column is predicted from, as bars: the longest are those of the columns that others say most about. */
export function tableImportanceSection({ family, importance, heldOut, variables, rows }: RowsFacts): string {
  if (variables.length < 2) return '';
  const title = 'What each column is predicted from';
  if (importance === null) return section(title, `Models of the family ${family} do not say it.`, '');
  if (importance.length === 0)
    return section(title, `On the ${heldOut} rows no column gains from the others beyond noise.`, '');
  const longest = importance[0]!.gain;
  const rest = variables.length - importance.length;
  const others =
    rest === 0
      ? ''
      : ` ${formatCount(rest)} of ${formatCount(variables.length)} columns are not shown: they gain least, or no more than noise.`;
  return section(
    title,
    'A bar is as long as what the other columns say about this one; its parts are the columns that say it.',
    `<ol class="predicted-from">${importance.map((each) => line(each, longest)).join('')}</ol>`,
    `Lengths are gains in nats per ${heldOut} row over the column on its own. Parts are shares of the gain of the splits, or of what else the model learns from, in the columns before it; those under 10 % are one grey part. ${testedAre(importance, { heldOut, rows })}${others}`,
  );
}

/** How shares were tested against noise: trees split on noise too. */
function testedAre(
  importance: readonly PredictedFacts[],
  { heldOut, rows }: Pick<RowsFacts, 'heldOut' | 'rows'>,
): string {
  const isTested = importance.some(({ predictors }) => predictors.some(({ beyondNoise }) => beyondNoise !== null));
  if (!isTested)
    return 'They are not tested against noise, on which trees split too: <code>orchard importance MODEL DATA</code> does, by rows that trained nothing.';
  const all = rows.test ?? rows.valid;
  const some = all > ROWS_TESTING ? ` (${formatCount(ROWS_TESTING)} of ${formatCount(all)})` : '';
  return `A share is marked (noise?) where the column's values, dealt to other ${heldOut} rows${some}, predict as well.`;
}

function line({ name, gain, predictors }: PredictedFacts, longest: number): string {
  const named = predictors.reduce((sum, { share }) => sum + share, 0);
  const parts = predictors
    .map(({ share }, at) => `<i class="part-${String(at)}" style="--share:${share.toFixed(4)}"></i>`)
    .join('');
  const words = predictors.map(
    ({ name: own, share, beyondNoise }, at) =>
      `<span><i class="part-${String(at)}"></i>${dataText(own, 24)} ${formatShare(share)}${beyondNoise === false ? ' (noise?)' : ''}</span>`,
  );
  if (named < 0.995) words.push(`<span><i></i>others ${formatShare(1 - named)}</span>`);
  return (
    `<li><b>${dataText(name, 36)}</b><span class="gain">+${formatFigure(gain, 3)}</span>` +
    `<span class="parts" style="--length:${Math.max(0, gain / longest).toFixed(4)}">${parts}</span><span class="named">${words.join('')}</span></li>`
  );
}
