import type { ReportFacts, SelectionFacts } from './facts.js';
import { drawLoss, drawTrees, type DimensionFigure } from './figures/dimension-figure.js';
import { drawImportance, leadingPredictors } from './figures/importance-figure.js';
import { drawPath, selectionSymbol } from './figures/path-figure.js';
import { drawSamples } from './figures/sample-figure.js';
import {
  BITS_PER_NAT,
  dimensionLabel,
  escapeHtml,
  formatCount,
  formatFigure,
  formatGain,
  formatShare,
} from './text.js';

/** The figure in the headline: the held-out likelihood of the network that the run gave. */
export function headlineSection(facts: ReportFacts): string {
  const { dataset } = facts;
  const chosen = chosenSelection(facts);
  const refitted = facts.chosen.refit && chosen.refitTest !== null;
  const likelihood = refitted ? chosen.refitTest! : (chosen.test ?? chosen.valid);
  const split = refitted || chosen.test !== null ? 'test' : 'validation';
  const bits = -likelihood * BITS_PER_NAT;
  const tiles: readonly (readonly [string, string])[] = [
    [formatFigure(likelihood, 3), `nats a row on the ${split} rows`],
    [formatFigure(bits, 2), `bits a row, ${formatFigure(bits / dataset.dimensions, 4)} a dimension`],
    [formatGain(likelihood - dataset.independentLogLikelihood, 2), 'nats over independent dimensions'],
    [formatCount(chosen.trees), `trees for ${formatCount(dataset.dimensions)} dimensions`],
  ];
  return `<div class="figures">${tiles
    .map(([figure, what], at) => `<div${at === 0 ? ' class="main"' : ''}><b>${figure}</b><span>${what}</span></div>`)
    .join('')}</div>`;
}

export function selectionSection(facts: ReportFacts): string {
  const { selections, chosen } = facts;
  const best = (figure: (selection: SelectionFacts) => number | null): number =>
    Math.max(...selections.map((selection) => figure(selection) ?? -Infinity));
  const [bestValid, bestTest, bestRefit] = [
    best(({ valid }) => valid),
    best(({ test }) => test),
    best(({ refitTest }) => refitTest),
  ];
  const cell = (value: number | null, bestValue: number): string =>
    `<td${value !== null && value === bestValue ? ' class="best"' : ''}>${value === null ? '–' : formatFigure(value, 3)}</td>`;
  const rows = selections.map((selection) => {
    const isChosen = selection.name === chosen.name;
    const badge = isChosen
      ? `<span class="badge">${chosen.refit ? 'this network, refitted' : 'this network'}</span>`
      : '';
    const rounds =
      selection.rounds === null ? '' : ` <span class="note">(${formatCount(selection.rounds)} rounds each)</span>`;
    return (
      `<tr${isChosen ? ' class="chosen"' : ''}><th scope="row">${escapeHtml(selection.name)}${badge}</th><td>${formatCount(selection.trees)}${rounds}</td>` +
      `<td>${formatFigure(selection.train, 3)}</td>${cell(selection.valid, bestValid)}${cell(selection.test, bestTest)}${cell(selection.refitTest, bestRefit)}</tr>`
    );
  });
  return section(
    'Four ways to choose the rounds',
    'Each dimension was boosted on its own; a selection decides how many of its trees the network keeps. Mean log-likelihood in nats a row; bold is the best of a column.',
    `<div class="scroll"><table><thead><tr><th scope="col">selection</th><th scope="col">trees</th><th scope="col">training</th><th scope="col">validation</th><th scope="col">test</th><th scope="col">test, refitted</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
  );
}

/** The outlines of the plot's symbols in a box of 12. */
const outlines = {
  diamond: 'M6 .8 9.6 6 6 11.2 2.4 6z',
  square: 'M1.9 1.9h8.2v8.2H1.9z',
  triangle: 'M6 1.2 11.2 10.2H.8z',
  star: 'M6 .6 7.3 4.3 11.2 4.4 8.1 6.8 9.2 10.6 6 8.3 2.8 10.6 3.9 6.8.8 4.4 4.7 4.3z',
} as const;

function selectionKey({ name }: SelectionFacts): string {
  return `<span><svg viewBox="0 0 12 12" aria-hidden="true"><path d="${outlines[selectionSymbol(name)]}"/></svg>${escapeHtml(name)}, by its validation</span>`;
}

/** How the networks on a selection's path follow each other. */
const growthOf: Readonly<Record<string, string>> = {
  linearized: 'The network grows by the tree that raises the training likelihood most.',
  'linearized-backward': 'The network shrinks by the tree whose loss costs the training likelihood least.',
  common: 'The network grows by a tree of every dimension at once.',
};

export function pathSection(facts: ReportFacts): string {
  const { path } = facts;
  if (path === null) return '';
  const others = facts.selections.filter(({ trees }) => trees !== path.chosen.trees);
  const { whole, closeUp } = drawPath(path, others);
  return section(
    'The greedy path',
    `${growthOf[path.method] ?? ''} Of all networks on this path the one with the best validation likelihood is kept, at ${formatCount(path.chosen.trees)} trees.`,
    `<div class="key"><span><i></i>validation</span><span><i class="train"></i>training</span><span><i class="dot"></i>chosen</span>${others.map(selectionKey).join('')}</div>` +
      `<div class="two"><figure class="plot-figure">${whole}<figcaption>The whole path</figcaption></figure><figure class="plot-figure">${closeUp}<figcaption>Around the chosen point</figcaption></figure></div>`,
  );
}

export function dimensionSection(facts: ReportFacts): string {
  const { heldOut, seenByRefit } = facts.dimensions;
  const caution = seenByRefit ? ' The refit has seen these rows, so true losses are a little larger.' : '';
  const trees = drawTrees(facts);
  const loss = drawLoss(facts);
  const title = 'Dimension by dimension';
  if (facts.dataset.shape !== null) {
    return section(
      title,
      `How much the network had to say about every pixel, and how well it foresees it on the ${heldOut} rows.${caution} Point at a square for its figures.`,
      `<div class="two">${mapFigure(trees, 'Trees chosen')}${mapFigure(loss, `Loss on the ${heldOut} rows`)}</div>`,
    );
  }
  return section(
    title,
    `How many trees every dimension got, and what it still loses on the ${heldOut} rows, in front of what it would lose knowing only its own rate.${caution} Point at a bar for its figures.`,
    `<figure class="plot-figure">${trees.svg}</figure><div class="key"><span><i class="block loss"></i>loss in the network</span><span><i class="block"></i>loss on its own</span></div><figure class="plot-figure">${loss.svg}</figure>`,
  );
}

export function sampleSection(facts: ReportFacts): string {
  const images = facts.dataset.shape !== null;
  const explained = images
    ? 'Left, in green, what the network drew; right the training row that is nearest to it, and in how many pixels the two differ.'
    : 'Above, in green, what the network drew; below the training row that is nearest to it, with the cells that differ in red. One column a dimension.';
  return section(
    'Samples and their nearest training rows',
    `${explained} Seed ${String(facts.samples.seed)}.`,
    `<div class="${images ? 'pairs' : 'lines'}">${drawSamples(facts)}</div>`,
  );
}

export function importanceSection(facts: ReportFacts): string {
  const { dimension, positions } = facts.importance;
  const { shape } = facts.dataset;
  const { names } = facts.dimensions;
  const label = escapeHtml(dimensionLabel(dimension, names, shape));
  const figure = drawImportance(facts);
  const title = `What decides ${label}`;
  if (figure === null) {
    const why =
      positions[dimension] === 0
        ? 'It is the first of the ordering and has no predictors.'
        : 'The network found no predictor that tells anything about it.';
    return section(title, why, '');
  }
  const explained =
    'Share of the summed gain of the splits in its trees. Only dimensions earlier in the ordering can be asked.';
  if (shape === null) return section(title, explained, `<figure class="plot-figure">${figure.svg}</figure>`);
  const leading = leadingPredictors(facts, 8);
  const together = leading.slice(0, 4).reduce((sum, { share }) => sum + share, 0);
  const list = leading
    .map(
      ({ dim, share }) =>
        `<li><span>${escapeHtml(dimensionLabel(dim, names, shape))}</span><b>${formatShare(share)}</b></li>`,
    )
    .join('');
  return section(
    title,
    `${explained} The framed square is the one explained; colours grow with the square root.`,
    `<div class="two">${mapFigure(figure, 'Importance of every pixel')}<div><p>The four leading pixels hold ${formatShare(together)} of the gain.</p><ol class="leading">${list}</ol></div></div>`,
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
    ['independent dimensions', `${formatFigure(dataset.independentLogLikelihood, 3)} nats a row`],
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

export function chosenSelection(facts: ReportFacts): SelectionFacts {
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

function section(title: string, explained: string, body: string): string {
  return `<section><h2>${title}</h2><p class="note">${explained}</p>${body}</section>`;
}
