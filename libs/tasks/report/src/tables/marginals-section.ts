import { section } from '../section.js';
import { formatCount, formatShare } from '../text.js';
import { dataText } from './data-text.js';
import { drawHistogram } from './histogram.js';
import type { LabelsFacts, MarginalFacts, Pair, RowsFacts } from './table-facts.js';

export function marginalsSection({ marginals, rows, variables }: RowsFacts): string {
  const { shown, draws, seed } = marginals;
  const rest = variables.length - shown.length;
  const some =
    rest > 0
      ? ` Shown are the ${formatCount(shown.length)} variables in which samples differ most from the data; ${formatCount(rest)} more are left out.`
      : '';
  const key =
    '<div class="key"><span><i class="block"></i>training rows</span><span><i></i>samples of the model</span></div>';
  return section(
    'Each variable: data beside samples',
    `How often each value is in the training rows, and in samples of the model.${some}`,
    `${key}<div class="marginals">${shown.map(marginal).join('')}</div>`,
    `All ${formatCount(rows.train)} training rows, and ${formatCount(draws)} samples of the model (seed ${String(seed)}). Numbers and dates are counted in cells and spread over their bars as the model spreads them. ` +
      'What differs is the share of rows that would have to change for both to be alike, in at most 16 groups of values; beside it what chance alone makes of it.',
  );
}

function marginal({ name, chart, holes, difference, byChance }: MarginalFacts): string {
  const said = [`${formatShare(difference)} differ (${formatShare(byChance)} by chance)`];
  if (holes !== null) said.push(`absent: ${pair(holes)}`);
  if (chart.type === 'histogram') {
    if (isAny(chart.below)) said.push(`below the axis: ${pair(chart.below)}`);
    if (isAny(chart.above)) said.push(`beyond the axis: ${pair(chart.above)}`);
  } else if (chart.rest !== null) {
    said.push(`${formatCount(chart.rest.labels)} more labels together: ${pair(chart.rest)}`);
  }
  const drawing = chart.type === 'histogram' ? drawHistogram(name, chart) : labelBars(chart);
  return `<figure class="marginal"><h3>${dataText(name)}</h3>${drawing}<figcaption>${said.join('; ')}</figcaption></figure>`;
}

function labelBars({ bars }: LabelsFacts): string {
  const highest = Math.max(...bars.map(({ data, draws }) => Math.max(data, draws)), 1e-9);
  const share = (value: number): string => (value / highest).toFixed(4);
  return `<ol class="labels">${bars
    .map(
      ({ label, data, draws }) =>
        `<li><span>${dataText(label, 40)}</span><span class="both" style="--data:${share(data)};--draws:${share(draws)}"><i></i><i></i></span><b>${formatShare(data)}<br>${formatShare(draws)}</b></li>`,
    )
    .join('')}</ol>`;
}

function pair({ data, draws }: Pair): string {
  return `${formatShare(data)} of the data, ${formatShare(draws)} of the samples`;
}

function isAny({ data, draws }: Pair): boolean {
  return data > 0 || draws > 0;
}
