import { isChosenByDimension } from '@orchard/contracts';
import { gainInWords, NOISE_CHANCE } from '@orchard/model';
import type { ReportFacts, SelectionFacts } from './facts.js';
import { dimensionsOfBar, drawLoss, drawTrees, type DimensionFigure } from './figures/dimension-figure.js';
import { drawImportanceMap, leadingPredictors } from './figures/importance-figure.js';
import { drawSamples, MOST_CELLS } from './figures/sample-figure.js';
import { headline } from './headline.js';
import { section } from './section.js';
import {
  BITS_PER_NAT,
  dimensionLabel,
  escapeHtml,
  formatCount,
  formatFigure,
  formatNats,
  formatNatsGain,
  formatShare,
} from './text.js';

/** The figure in the headline: the held-out likelihood of the network that the run gave. */
export function headlineSection(facts: ReportFacts): string {
  const { dataset } = facts;
  const chosen = chosenSelection(facts);
  const refitted = facts.chosen.refit !== false && chosen.refitTest !== null;
  const likelihood = refitted ? chosen.refitTest! : (chosen.test ?? chosen.valid);
  const split = refitted || chosen.test !== null ? 'test' : 'validation';
  const tooGood = isChosenByDimension(chosen.name)
    ? 'too good, since each dimension chose for itself'
    : 'a little too good';
  const caution =
    split === 'test'
      ? ''
      : ` These rows chose the rounds${facts.chosen.refit === 'again' ? ', before the network was trained again' : facts.chosen.refit ? ', before its refit' : ''}: the figures are ${tooGood}.`;
  const bits = -likelihood * BITS_PER_NAT;
  const { train, valid, test } = dataset.rows;
  const gain = likelihood - dataset.independentLogLikelihood;
  const { figure, words } = gainInWords(gain, dataset.dimensions);
  return headline(
    [
      [figure === 'no' ? '0 %' : figure, `${words} by its column alone`],
      [formatNats(likelihood), `nats per ${split} row; alone ${formatNats(dataset.independentLogLikelihood)}`],
      [`${formatCount(train)} × ${formatCount(dataset.dimensions)}`, 'training rows × columns'],
    ],
    `A ${split} row has a log-likelihood of ${formatNats(likelihood)} nats, ${formatNatsGain(gain)} beside independent dimensions with the rates of the training rows; the first figure is what that is for each value. ` +
      `In bits these are ${formatFigure(bits, 2)}, ${formatFigure(bits / dataset.dimensions, 4)} per dimension.${caution} ` +
      `The network has ${formatCount(chosen.trees)} trees. ${formatCount(valid)} rows validated, ${test === null ? 'none' : formatCount(test)} tested.`,
  );
}

export function dimensionSection(facts: ReportFacts): string {
  const { heldOut, beforeRefit } = facts.dimensions;
  const caution =
    heldOut === 'test'
      ? ''
      : ` These rows chose the rounds, so true losses are a little larger${beforeRefit ? `; they are those before the ${facts.chosen.refit === 'again' ? 'second training' : 'refit'}, which has seen these rows` : ''}.`;
  const trees = drawTrees(facts);
  const loss = drawLoss(facts);
  const title = 'Dimension by dimension';
  if (facts.dataset.shape !== null) {
    return section(
      title,
      `How much the network had to say about every pixel, and how well it foresees it on the ${heldOut} rows. Point at a square for its figures.`,
      `<div class="two maps">${mapFigure(trees, 'Trees chosen')}${mapFigure(loss, `Loss on the ${heldOut} rows`)}</div>`,
      `${beyondNoise(facts)}.${caution}`,
    );
  }
  const key =
    '<div class="key"><span><i class="block loss"></i>loss in the network</span><span><i class="block noise"></i>the same, no better than noise</span><span><i class="block"></i>loss on its own</span></div>';
  return section(
    title,
    `How many trees every dimension got, and what it still loses on the ${heldOut} rows, in front of what it would lose knowing only its own rate. ${barsAre(facts)}`,
    `<figure class="plot-figure wide">${trees.svg}</figure>${key}<figure class="plot-figure wide">${loss.svg}</figure>`,
    `${beyondNoise(facts)}; the others are grey.${caution}`,
  );
}

function barsAre({ dataset }: ReportFacts): string {
  const step = dimensionsOfBar(dataset.dimensions);
  return step === 1
    ? 'Point at a bar for its figures.'
    : `A bar is the mean of ${formatCount(step)} neighbours, and grey where fewer than half of them are.`;
}

/** How many dimensions depend on others, and how that is judged (held-out-gain.ts of the model). */
function beyondNoise({ dimensions, dataset }: ReportFacts): string {
  const found = Array.from(dimensions.beyondNoise).filter((flag) => flag === 1).length;
  return (
    `${formatCount(found)} of ${formatCount(dataset.dimensions)} are foreseen better than by any one rate, beyond noise: on the ${dimensions.heldOut} rows by ` +
    `${formatFigure(dimensions.neededEvidence, 1)} nats in all, which even one of as many independent dimensions would reach by chance in at most one of ${String(Math.round(1 / NOISE_CHANCE))} networks`
  );
}

export function sampleSection(facts: ReportFacts): string {
  const images = facts.dataset.shape !== null;
  const explained = images
    ? 'Left, in green, what the network drew; right the training row that is nearest to it, and in how many pixels the two differ.'
    : 'Above, in green, what the network drew; below the training row that is nearest to it, with the cells that differ in red. One column a dimension' +
      (facts.dataset.dimensions <= MOST_CELLS
        ? '.'
        : `, of the first ${formatCount(MOST_CELLS)}; what differs is counted in all.`);
  return section(
    'Samples and their nearest training rows',
    `${explained} Seed ${String(facts.samples.seed)}.`,
    `<div class="${images ? 'pairs' : 'lines'}">${drawSamples(facts)}</div>`,
  );
}

export function importanceSection(facts: ReportFacts): string {
  const { dimension, positions } = facts.importance;
  const { shape } = facts.dataset;
  const { names, loss, independentLoss, heldOut } = facts.dimensions;
  const label = escapeHtml(dimensionLabel(dimension, names, shape));
  const title = `What decides ${label}`;
  const leading = leadingPredictors(facts, shape === null ? 20 : 8);
  if (leading.length === 0) {
    const why =
      positions[dimension] === 0
        ? 'It is the first of the ordering and has no predictors.'
        : `On the ${heldOut} rows the network foresees it no better than noise would, so that there is nothing to share out.`;
    return section(title, why, '');
  }
  const explained =
    `On the ${heldOut} rows the network gains ${formatFigure(independentLoss[dimension]! - loss[dimension]!, 4)} nats per row on it over its own rate. ` +
    'Shares of the summed gain of the splits in its trees; a small share alone is not evidence. Only dimensions earlier in the ordering can be asked.';
  const list = leading
    .map(
      ({ dim, share }) =>
        `<li style="--share:${(share / leading[0]!.share).toFixed(3)}"><span>${escapeHtml(dimensionLabel(dim, names, shape))}</span><b>${formatShare(share)}</b></li>`,
    )
    .join('');
  const together = leading.slice(0, 4).reduce((sum, { share }) => sum + share, 0);
  const listed = leading.reduce((sum, { share }) => sum + share, 0);
  const rest =
    listed < 0.9995 ? `<p class="note">All others together: ${formatShare(Math.max(0, 1 - listed))}.</p>` : '';
  if (shape === null) return section(title, explained, `<ol class="leading bars">${list}</ol>${rest}`);
  return section(
    title,
    `${explained} The framed square is the one explained; colours grow with the square root.`,
    `<div class="two">${mapFigure(drawImportanceMap(facts, shape), 'Importance of every pixel')}<div><p>The ${leading.length < 4 ? 'leading' : 'four leading'} pixels hold ${formatShare(together)} of the gain.</p><ol class="leading">${list}</ol>${rest}</div></div>`,
  );
}

export function runSection(facts: ReportFacts): string {
  const { dataset, run } = facts;
  const { train, valid, test } = dataset.rows;
  const entries: readonly (readonly [string, string])[] = [
    [
      'rows',
      `${formatCount(train)} training, ${formatCount(valid)} validation, ${test === null ? 'no' : formatCount(test)} test`,
    ],
    [
      'dimensions',
      `${formatCount(dataset.dimensions)}${dataset.shape === null ? '' : ` (${String(dataset.shape[0])} × ${String(dataset.shape[1])})`}`,
    ],
    ['independent dimensions', `${formatNats(dataset.independentLogLikelihood)} nats per row`],
    ...run.settings,
  ];
  const hashes = [
    ['training data', dataset.sha256],
    ['run', run.id],
  ] as const;
  return section(
    'What was run, and on what',
    'The same data and the same settings give this page again, byte for byte, on any machine.',
    `<dl>${entries.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}${hashes
      .map(([name, value]) => `<dt>${name}</dt><dd class="hash">${escapeHtml(value)}</dd>`)
      .join('')}</dl>`,
  );
}

function chosenSelection(facts: ReportFacts): SelectionFacts {
  return facts.selections.find(({ name }) => name === facts.chosen.name) ?? facts.selections[0]!;
}

function mapFigure(figure: DimensionFigure, caption: string): string {
  const { legend } = figure;
  const ramp =
    legend === null
      ? ''
      : `<div class="ramp"><span>${legend.low}</span><i class="${legend.ramp}"></i><span>${legend.high}</span></div>`;
  return `<figure class="map">${figure.svg}${ramp}<figcaption>${caption}</figcaption></figure>`;
}
