import type { BitMatrix } from '@orchard/dataset';
import { gainInWords, independentLogLikelihood, isBound, isTabular, type DensityModel } from '@orchard/model';
import { drawSamples } from './figures/sample-figure.js';
import { headline, type Figure } from './headline.js';
import { nearestRows } from './nearest-rows.js';
import { renderPage } from './page.js';
import type { ChosenFacts } from './tables/table-facts.js';
import { reportOnTabular } from './tables/report-on-tabular.js';
import {
  BITS_PER_NAT,
  dimensionLabel,
  escapeHtml,
  formatCount,
  formatFigure,
  formatNats,
  formatShare,
} from './text.js';

/** A model of any family, and the rows that it was made from and held against. */
export interface FinishedModel {
  readonly runId: string;
  readonly model: DensityModel;
  readonly splits: { readonly train: BitMatrix; readonly valid: BitMatrix; readonly test: BitMatrix | null };
  /** What only its family can show of it: markup, after the figures. @default none */
  readonly sections?: readonly string[] | undefined;
  /** @default nothing */
  readonly chosenByValidation?: ChosenFacts | null | undefined;
  /** @default what the rows are: "A model of 16 dimensions" */
  readonly title?: string | undefined;
  /** Where the rows of each split came from, in words, where that is known: no part of the run. */
  readonly sources?: readonly (readonly [split: string, source: string])[] | undefined;
}

const samplesSeed = 0;
const samplesDrawn = 16;
/** Rows of the table of columns; what is left out is said under it. */
const columnsShown = 200;

/**
 * The page about a model whose family has no page of its own: from what its port answers. The same model gives the same
 * bytes.
 */
export function reportOnModel(finished: FinishedModel): string {
  const { runId, model, splits, sections = [], chosenByValidation = null, title, sources = [] } = finished;
  if (isTabular(model)) return reportOnTabular({ runId, model, splits, sections, chosenByValidation, title, sources });
  const { train, valid, test } = splits;
  const { likelihoods, dimensions } = model;
  const heldOut = likelihoods.test ?? likelihoods.valid;
  const split = likelihoods.test === null ? 'validation' : 'test';
  const [least, most] = isBound(model) ? ['at least ', ', at most'] : ['', ''];
  const alone = independentLogLikelihood(train, test ?? valid);
  const figures: readonly [Figure, Figure, Figure] =
    heldOut === null
      ? [
          [formatCount(dimensions), 'columns'],
          [formatCount(train.rows), 'training rows'],
          [formatCount(valid.rows), 'validation rows'],
        ]
      : [
          likelierThanAlone(heldOut - alone, dimensions, least),
          [formatNats(heldOut), `${least}nats per ${split} row; alone ${formatNats(alone)}`],
          [`${formatCount(train.rows)} × ${formatCount(dimensions)}`, 'training rows × columns'],
        ];
  const explained =
    heldOut === null
      ? ''
      : `A ${split} row has a log-likelihood of ${least}${formatNats(heldOut)} nats${least === '' ? '' : ' (a lower bound)'}, ${formatFigure((-heldOut * BITS_PER_NAT) / dimensions, 4)} bits a dimension${most}. Columns alone have the rates of the training rows; the first figure is what the model gains on them for each value.`;
  const facts = model
    .summary()
    .facts.map(([name, words]) => `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(words)}</td></tr>`);
  const rows = `${formatCount(train.rows)} training, ${formatCount(valid.rows)} validation${test === null ? '' : `, ${formatCount(test.rows)} test`} rows`;
  const kind = `A model of ${formatCount(dimensions)} dimensions`;
  const lead = `Family ${model.family}, from ${rows}.`;
  const from = sources.map(
    ([name, source]) => `<tr><th scope="row">${escapeHtml(name)} rows from</th><td>${escapeHtml(source)}</td></tr>`,
  );
  return renderPage({
    title: title ?? kind,
    lead: title === undefined ? lead : `${kind}. ${lead}`,
    sections: [
      headline(figures, explained),
      ...sections,
      drawsOfModel(model, train),
      columnTable(model, test ?? valid, test === null ? 'validation' : 'test'),
      `<section><h2>The model</h2><div class="scroll"><table><tbody>${from.join('')}${facts.join('')}<tr><th scope="row">run</th><td><code>${runId}</code></td></tr></tbody></table></div></section>`,
    ],
  });
}

function likelierThanAlone(gain: number, dimensions: number, least: string): Figure {
  const { figure, words } = gainInWords(gain, dimensions);
  return [`${least}${figure === 'no' ? '0 %' : figure}`, `${words} by its column alone`];
}

/** Samples of the model, each with the training row that is nearest to it. */
export function drawsOfModel(model: DensityModel, train: BitMatrix): string {
  const draws = model.sample(samplesDrawn, samplesSeed);
  const near = nearestRows(draws, train);
  const pairs = {
    rows: draws,
    nearest: train.selectRows(near.map(({ row }) => row)),
    distances: near.map(({ distance }) => distance),
    seed: samplesSeed,
  };
  const samples = drawSamples({ dataset: { shape: model.shape }, samples: pairs });
  return `<section><h2>Samples and their nearest training rows</h2><div class="${model.shape === null ? 'lines' : 'pairs'}">${samples}</div></section>`;
}

/** How often each column is 1, in held-out rows and in draws. */
export function columnTable(model: DensityModel, rows: BitMatrix, split: string): string {
  const draws = model.sample(Math.max(1000, rows.rows), samplesSeed + 1);
  const shown = Math.min(model.dimensions, columnsShown);
  const lines = Array.from({ length: shown }, (_, dim) => {
    const name = escapeHtml(dimensionLabel(dim, model.names, model.shape));
    return `<tr><th scope="row">${name}</th><td>${formatShare(rateOf(rows, dim))}</td><td>${formatShare(rateOf(draws, dim))}</td></tr>`;
  });
  const rest = model.dimensions - shown;
  const note = rest > 0 ? `<p class="note">${formatCount(rest)} more columns are left out.</p>` : '';
  return `<section><h2>How often each column is 1</h2><div class="scroll"><table><thead><tr><th scope="col">column</th><th scope="col">${split} rows</th><th scope="col">samples</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>${note}</section>`;
}

function rateOf(rows: BitMatrix, dim: number): number {
  let ones = 0;
  for (let row = 0; row < rows.rows; row++) ones += rows.get(row, dim);
  return rows.rows === 0 ? 0 : ones / rows.rows;
}
