import type { BitMatrix } from '@orchard/dataset';
import {
  asTabular,
  gainInWords,
  independentLogLikelihood,
  isBound,
  type DensityModel,
  type VariableFigures,
} from '@orchard/model';
import { bitSections } from './bits-sections.js';
import { drawSamples } from './figures/sample-figure.js';
import { headline, type Figure } from './headline.js';
import { nearestRows } from './nearest-rows.js';
import { reportPage } from './report-page.js';
import type { Reported } from './reported.js';
import type { ChosenFacts } from './tables/table-facts.js';
import { describeTable } from './tables/describe-table.js';
import { renderTableReport } from './tables/render-table-report.js';
import { BITS_PER_NAT, escapeHtml, formatCount, formatFigure, formatNats } from './text.js';

/** A model of any family. */
export interface FinishedModel extends Reported {
  readonly runId: string;
  readonly model: DensityModel;
  /** What only its family can show of it: markup, after the figures. @default none */
  readonly sections?: readonly string[] | undefined;
  /** @default nothing */
  readonly chosenByValidation?: ChosenFacts | null | undefined;
  /** Of a table's model: its page is that of its variables. @default columns are of 0 and 1 */
  readonly variables?: readonly VariableFigures[];
}

const samplesSeed = 0;
const samplesDrawn = 16;

/**
 * The page about a model whose family has no page of its own: from what its port answers. The same model gives the same
 * bytes.
 */
export async function reportOnModel(finished: FinishedModel): Promise<string> {
  const { runId, model, splits, sections = [], chosenByValidation = null, title, sources = [], cells } = finished;
  if (finished.variables !== undefined) return reportOnTabular(finished, finished.variables);
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
  const from = sources.map(
    ([name, source]) => `<tr><th scope="row">${escapeHtml(name)} rows from</th><td>${escapeHtml(source)}</td></tr>`,
  );
  return reportPage({
    ...(await bitSections({ model, splits, chosenByValidation, cells }, { predictors: true })),
    title,
    kind: `A model of ${formatCount(dimensions)} dimensions`,
    lead: `Family ${model.family}, from ${rows}.`,
    headline: headline(figures, explained),
    samples: drawsOfModel(model, train),
    own: sections,
    run: `<section><h2>The model</h2><div class="scroll"><table><tbody>${from.join('')}${facts.join('')}<tr><th scope="row">run</th><td><code>${runId}</code></td></tr></tbody></table></div></section>`,
  });
}

/** The page about a model of a table whose family has no page of its own. */
async function reportOnTabular(
  { sections = [], sources = [], chosenByValidation = null, ...finished }: FinishedModel,
  variables: readonly VariableFigures[],
): Promise<string> {
  const model = asTabular(finished.model);
  const { train } = (model.specification ?? {}) as { readonly train?: string };
  const facts = await describeTable({
    ...finished,
    model,
    variables,
    sources,
    chosenByValidation,
    sha256: train ?? finished.splits.train.contentHash(),
    settings: [['family', model.family], ...model.summary().facts],
  });
  return renderTableReport(facts, sections);
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
